"""The credentials that the API wants: where they come from, how they are renewed, where they are put."""
