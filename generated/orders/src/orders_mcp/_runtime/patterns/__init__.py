"""Regular expressions of an API's description, matched within a bounded number of steps."""
