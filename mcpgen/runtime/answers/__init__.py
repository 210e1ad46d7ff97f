"""What the API answered, read by what it is."""
