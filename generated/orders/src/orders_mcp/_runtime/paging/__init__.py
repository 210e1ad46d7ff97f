"""The pages of a list: what an answer tells about the rest, and the arguments that fetch it."""
