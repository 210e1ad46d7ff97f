"""Tools that the team writes itself, in `hooks.py`: listed, checked and called like the generated ones."""
