"""The way to the API and back: one client, its limits, repeats and redirects."""
