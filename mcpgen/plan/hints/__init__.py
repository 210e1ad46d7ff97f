"""What a caller can do next, from the structure of the API: which tool finds what another one needs."""
