"""Names: every name that a generated project shows is made here."""
