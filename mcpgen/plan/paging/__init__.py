"""How lists are paged: which arguments move on, and where an answer says that there is more."""
