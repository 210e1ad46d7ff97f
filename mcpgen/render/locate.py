"""Where the built-in templates are: inside the installed package, or beside it in a checkout."""

from __future__ import annotations

from pathlib import Path

import mcpgen


def templates_folder() -> Path:
    """The folder of the built-in templates.

    A wheel carries them as `mcpgen/_templates`; an editable checkout has them in `templates/` at its root.

    Raises:
        FileNotFoundError: neither exists, which means a broken installation.
    """
    package = Path(mcpgen.__file__).resolve().parent
    for folder in (package / "_templates", package.parent / "templates"):
        if (folder / "package").is_dir():
            return folder
    raise FileNotFoundError(f"the built-in templates are missing beside {package}")


def runtime_folder() -> Path:
    """The folder of the run-time library, whose files are copied verbatim into generated packages."""
    return Path(mcpgen.__file__).resolve().parent / "runtime"
