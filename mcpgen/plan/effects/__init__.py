"""Side effects: what an operation does to the API, from its words and shape."""
