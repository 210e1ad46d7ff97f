"""What a call came to, in the words of the result contract."""
