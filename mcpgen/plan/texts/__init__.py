"""Texts that people and models read: titles and descriptions."""
