"""`python -m mcpgen` is the command `mcpgen`."""

from mcpgen.cli.main import main

if __name__ == "__main__":
    main(prog_name="mcpgen")
