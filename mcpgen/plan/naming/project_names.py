"""Names of the generated project: distribution, package, modules, environment variables."""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Sequence

from mcpgen.plan.naming.identifiers import cut, legal_start, resolve, short_hash, split_words

_TITLE_NOISE = frozenset(
    "api apis rest restful openapi swagger service services webservice server specification spec documentation"
    " docs doc mcp http https the v1 v2 v3 v4".split()
)
# Device names that Windows does not let a file have (Microsoft, "Naming Files, Paths, and Namespaces").
_DEVICES = frozenset(
    ["con", "prn", "aux", "nul", "conin", "conout"]
    + [f"{name}{digit}" for name in ("com", "lpt") for digit in range(10)]
)
_MODULE_LIMIT = 40
_PROJECT_LIMIT = 46


def module_name(text: str) -> str:
    """A module name for a toolset: a legal identifier of at most 40 characters that works on every system."""
    name = legal_start(cut(split_words(text) or ("default",), _MODULE_LIMIT - 8, text), "n")
    return (
        f"{name}_tools"
        if keyword.iskeyword(name) or keyword.issoftkeyword(name) or name in _DEVICES
        else name
    )


def module_names(labels: Iterable[str], reserved: Sequence[str] = ()) -> dict[str, str]:
    """Module names for a set of labels, unique ignoring case, independent of their order, none of them reserved.

    Labels that clash all get a hash of their own text, unless one of them is spelt exactly like the module.
    """
    return resolve({label: _module_ladder(label) for label in labels}, reserved)


def _module_ladder(label: str) -> tuple[str, ...]:
    name = module_name(label)
    hashed = tuple(f"{name[: _MODULE_LIMIT - size - 1]}_{short_hash(label, size)}" for size in (6, 10, 30))
    # In a clash everybody takes a step; a label that is its own module name finds the same name there.
    return (name, name, *hashed) if name == label else (name, *hashed)


def _project_words(title: str) -> tuple[str, ...]:
    words = split_words(title)
    kept = [word for word in words if word not in _TITLE_NOISE]
    return tuple(kept or [word for word in words if word not in ("mcp", "the")] or ("api",))


def distribution_name(title: str) -> str:
    """The name of the generated distribution: `orders-mcp` for "Orders API" (PEP 503 normal form)."""
    return f"{cut(_project_words(title), _PROJECT_LIMIT, title).replace('_', '-')}-mcp"


def package_name(title_or_distribution: str) -> str:
    """The import name: `orders_mcp`. The ending keeps it apart from the standard library and dependencies."""
    name = legal_start(
        cut(_project_words(title_or_distribution), _PROJECT_LIMIT, title_or_distribution), "api"
    )
    return f"{name}_mcp"


def env_prefix(title_or_distribution: str) -> str:
    """What the names of the project's environment variables start with: `ORDERS`."""
    return package_name(title_or_distribution).removesuffix("_mcp").upper()


def env_name(prefix: str, scheme: str, part: str) -> str:
    """The variable for one part of a credential: `ORDERS_BEARER_AUTH_TOKEN`; words are not repeated."""
    words, tail = split_words(scheme), split_words(part)
    shared = next((size for size in range(len(tail), 0, -1) if words[-size:] == tail[:size]), 0)
    return f"{prefix}_{cut([*words, *tail[shared:]], 80, scheme).upper()}"


def env_names(
    prefix: str, items: Sequence[tuple[str, str]], taken: Sequence[str] = ()
) -> dict[tuple[str, str], str]:
    """Variables for `(scheme, part)` pairs, unique ignoring case, none of them taken already."""
    ladders = {}
    for scheme, part in items:
        name = env_name(prefix, scheme, part)
        full = f"{prefix}_{cut([*split_words(scheme), *split_words(part)], 80, scheme).upper()}"
        # Parts of one scheme can clash too (`region` and `Region` of a server), so the part is hashed last.
        marks = [
            f"{full}_{short_hash(text, size).upper()}"
            for text in (scheme, f"{scheme} {part}")
            for size in (6, 10, 40)
        ]
        ladders[(scheme, part)] = (name, full, *marks)
    return resolve(ladders, taken)
