"""What happens around every call, link by link; `order` says in which order."""
