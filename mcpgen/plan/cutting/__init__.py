"""Operations cut by side effect: which argument chooses the action, and what is left of the operation for each value."""
