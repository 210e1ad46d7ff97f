"""Keeps what reaches the model within its bounds, and says what was left out."""
