"""Texts that people and models read: titles, descriptions, hints."""
