"""What comes in from a model: moved to its place, repaired, checked against the published schema."""
