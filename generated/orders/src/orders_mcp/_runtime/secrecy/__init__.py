"""Keeps secrets where they belong."""
