"""The intermediate representation: what the API says."""
