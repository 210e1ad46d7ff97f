"""The languages of generated files, and which filters escape for each."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import PurePosixPath


class Language(StrEnum):
    """What a file is written in, as far as it decides how text is escaped. `OTHER` is what mcpgen can't escape for."""

    PYTHON = "Python"
    TOML = "TOML"
    MARKDOWN = "Markdown"
    YAML = "YAML"
    JSON = "JSON"
    SHELL = "shell"
    DOCKERFILE = "Dockerfile"
    ENV = "a file of settings"
    PLAIN = "plain text"
    OTHER = "a language that mcpgen does not know"


FILTERS_FOR: Mapping[Language, tuple[str, ...]] = {
    Language.PYTHON: ("py", "docstring", "line", "names"),
    Language.TOML: ("toml", "line"),
    Language.MARKDOWN: ("markdown", "code"),
    Language.YAML: ("yaml", "json", "line"),
    Language.JSON: ("json",),
    Language.SHELL: ("sh", "line"),
    Language.DOCKERFILE: ("docker", "sh", "line"),
    Language.ENV: ("line", "setting"),
    Language.PLAIN: ("line",),
    Language.OTHER: (),
}

_SUFFIXES = {
    ".py": Language.PYTHON,
    ".pyi": Language.PYTHON,
    ".toml": Language.TOML,
    ".md": Language.MARKDOWN,
    ".yaml": Language.YAML,
    ".yml": Language.YAML,
    ".json": Language.JSON,
    ".sh": Language.SHELL,
    ".bash": Language.SHELL,
    ".dockerfile": Language.DOCKERFILE,
    ".env": Language.ENV,
    ".txt": Language.PLAIN,
}
_NAMES = {
    "dockerfile": Language.DOCKERFILE,
    "containerfile": Language.DOCKERFILE,
    ".gitignore": Language.ENV,
    ".dockerignore": Language.ENV,
    ".env": Language.ENV,
    "license": Language.PLAIN,
    "licence": Language.PLAIN,
    "notice": Language.PLAIN,
    "authors": Language.PLAIN,
    "codeowners": Language.PLAIN,
}


def language_of(path: PurePosixPath) -> Language:
    """The language of a generated file, by its name."""
    name = path.name.casefold()
    stem = name[: name.index(".", 1)] if "." in name[1:] else name
    whole = _NAMES.get(name) or _SUFFIXES.get(path.suffix.casefold())
    if whole is not None:
        return whole
    return _NAMES[stem] if stem in {"dockerfile", "containerfile", ".env"} else Language.OTHER
