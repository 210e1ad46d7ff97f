"""The run-time library as it is handed out: its modules, what they need, and what tells one version from another."""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath

import mcpgen
from mcpgen.plan.model import Code
from mcpgen.render.locate import runtime_folder

DISTRIBUTION = "mcpgen-runtime"
MODULE = "mcpgen_runtime"
REQUIREMENTS = (
    "anyio>=4.9",
    "httpx2>=2.16,<3",
    "jsonschema>=4.25,<5",
    "mcp>=2.3,<3",
    "opentelemetry-api>=1.28,<2",
    "pydantic>=2.12,<3",
    "pyjwt[crypto]>=2.10.1,<3",
    "starlette>=0.45",
    "uvicorn>=0.34",
)
"""What the library imports: the only list, for projects that have a copy of it and for the distribution."""
_POST_DIGITS = 12
"""Hexadecimal digits of the fingerprint that go into the version: 48 bits, which every installer can read as a number."""


class RuntimeMode(StrEnum):
    """How a project has the run-time library: as a copy of its own, or as a distribution that many servers share."""

    VENDORED = "vendored"
    PACKAGE = "package"


@dataclass(frozen=True, slots=True)
class Needs:
    """What a project's documents say about the library: its requirements, and sentences (Markdown) on how to get it."""

    requirements: tuple[Code, ...]
    notes: tuple[Code, ...] = ()


@dataclass(frozen=True, slots=True)
class Library:
    """The library of this mcpgen. `modules` are texts by path, in order."""

    modules: Mapping[PurePosixPath, str]

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of what decides how servers behave: the modules, and what they need."""
        sha = hashlib.sha256("".join(f"{requirement}\n" for requirement in REQUIREMENTS).encode())
        for path, text in self.modules.items():
            data = text.encode()
            sha.update(f"{path} {len(data)}\n".encode() + data)
        return sha.hexdigest()

    @property
    def version(self) -> str:
        """The version of the distribution: that of mcpgen, and the beginning of the fingerprint as a post-release.

        A post-release, because `==` then means exactly this library, to every index: PEP 440 has public indexes refuse local
        versions (`0.1.0+abc`), and lets `==0.1.0` match any of them. Which of two post-releases is newer says nothing.
        """
        release = re.match(r"\d+(\.\d+)*", mcpgen.__version__)
        assert release is not None
        return f"{release[0]}.post{int(self.fingerprint[:_POST_DIGITS], 16)}"

    @property
    def requirement(self) -> str:
        """How a project asks for exactly this library."""
        return f"{DISTRIBUTION}=={self.version}"

    @property
    def public(self) -> tuple[str, ...]:
        """The names that generated code and teams import: `__all__` of the library."""
        module = ast.parse(self.modules[PurePosixPath("__init__.py")])
        for node in module.body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
                return tuple(ast.literal_eval(node.value))
        raise ValueError("the run-time library does not say what is public")


def read_library() -> Library:
    """The library beside this module."""
    folder = runtime_folder()
    files = sorted(folder.rglob("*.py"))
    return Library(
        {PurePosixPath(file.relative_to(folder).as_posix()): file.read_text("utf-8") for file in files}
    )
