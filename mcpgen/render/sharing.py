"""What differs between a project with a copy of the run-time library and one that shares it, and what is shared.

Templates of a project know nothing of it: they import from `._runtime`, which is the library or a door to it, and print
what the project needs, whatever that is.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

import mcpgen
from mcpgen.plan.model import Code
from mcpgen.render.environment import TemplateEnvironment
from mcpgen.render.languages import language_of
from mcpgen.render.layers import SUFFIX, built_in_layer
from mcpgen.render.library import (
    DISTRIBUTION,
    MODULE,
    REQUIREMENTS,
    Library,
    Needs,
    RuntimeMode,
    read_library,
)

_NOTE = (
    f"Its run-time library is the distribution `{DISTRIBUTION}`, which many servers share: `mcpgen runtime --output DIR` writes\n"
    "the project of it, to be built and put where pip finds it. The server starts only with the version that `pyproject.toml`\n"
    "asks for."
)
_SOURCE = PurePosixPath("src") / MODULE


def needs(mode: RuntimeMode) -> Needs:
    """What a project needs for its run-time library."""
    if mode is RuntimeMode.VENDORED:
        return Needs(tuple(map(Code, REQUIREMENTS)))
    return Needs((Code(read_library().requirement),), (Code(_NOTE),))


def runtime_modules(mode: RuntimeMode) -> Iterator[tuple[PurePosixPath, str]]:
    """The modules of a project's `_runtime`: the library, byte for byte, or one that imports the shared one."""
    library = read_library()
    if mode is RuntimeMode.VENDORED:
        yield from library.modules.items()
        return
    [(path, text)] = _rendered("runtime/project", library)
    yield path, text


def distribution_files() -> dict[PurePosixPath, str]:
    """The project of the distribution, by path: the library byte for byte, and what makes a package of it."""
    library = read_library()
    files = dict(_rendered("runtime/distribution", library))
    files |= {_SOURCE / path: text for path, text in library.modules.items()}
    return dict(sorted({**files, _SOURCE / "py.typed": ""}.items()))


def _rendered(folder: str, library: Library) -> Iterator[tuple[PurePosixPath, str]]:
    layer = built_in_layer(folder)
    told = {
        "generator": Code(f"mcpgen {mcpgen.__version__}"),
        "version": library.version,
        "fingerprint": library.fingerprint,
        "requirements": [Code(text) for text in REQUIREMENTS],
        "names": library.public,
    }
    for file in layer.files:
        path = PurePosixPath(file.removesuffix(SUFFIX))
        environment = TemplateEnvironment((layer,), language_of(path))
        yield path, environment.get_template(environment.loader.find(file) or file).render(told)
