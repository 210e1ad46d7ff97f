"""Words, identifiers and hashes: the small steps that every name is made of."""

from __future__ import annotations

import hashlib
import keyword
import re
import unicodedata
from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

from anyascii import anyascii

Key = TypeVar("Key", bound=Hashable)

_LETTERS = re.compile(r"[A-Z]{2,}s(?![a-z])\d*|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+\d*|[A-Z]+\d*|\d+[a-z]*")
# Spelt with capitals inside, but one word: the camelCase split would tear them apart.
_ONE_WORD = re.compile(
    r"[oO]Auth|OpenID|OpenAPI|GraphQL|GitHub|GitLab|IPv(?=[46])|iOS|macOS|DevOps|WebHook|NodeJS|JavaScript|TypeScript"
)
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_RESERVED = frozenset({"call", "self", "cls"})
_USED_BY_TOOL_MODULES = frozenset(
    "UNSET Call FileArgument JsonObject JsonValue Result Unset Literal TYPE_CHECKING annotations"
    " bool dict float int list str".split()
)
"""What the annotations of a tool's module mean by these names, a function of that name would hide from them."""


def ascii_text(text: str) -> str:
    """Any script as ASCII letters: compatibility forms folded (NFKC), the rest transliterated.

    A character without an ASCII spelling becomes a space, so it can still separate words.
    """
    if text.isascii():
        return text
    normal = unicodedata.normalize("NFKC", text)
    return "".join(char if char.isascii() else (anyascii(char) or " ") for char in normal)


@lru_cache(maxsize=16_384)
def split_words(text: str) -> tuple[str, ...]:
    """The lower-case ASCII words of a name, split at separators and at camelCase borders.

    Digits stay with the letters before them (`v1`, `oauth2`), or after them when they come first (`2fa`).
    """
    plain = _ONE_WORD.sub(lambda match: match.group().capitalize(), ascii_text(text))
    return tuple(word.lower() for word in _LETTERS.findall(plain))


def singular(word: str) -> str:
    """The English singular where it is plain; other words are returned as they are."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "ches", "shes", "xes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def is_identifier(text: str) -> bool:
    """Whether the text is a plain ASCII identifier (keywords count as identifiers here)."""
    return _IDENTIFIER.match(text) is not None


def legal_start(name: str, prefix: str) -> str:
    """The name, with the prefix before it when it would start with a digit."""
    return f"{prefix}_{name}" if name[:1].isdigit() else name


def short_hash(text: str, length: int = 6) -> str:
    """A stable hexadecimal mark of a text, the same on every machine."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:length]


def fold(name: str) -> str:
    """The form in which two names count as the same: no case, no underscores or hyphens."""
    return name.replace("_", "").replace("-", "").casefold()


def python_identifier(name: str) -> str:
    """A legal name for a Python parameter or function.

    A plain identifier is kept; keywords and the names that generated code needs itself get an underscore after
    them, and dunder names lose the underscores that Python gives a meaning to.
    """
    text = name if is_identifier(name) else "_".join(split_words(name))
    if text.startswith("__"):
        text = text.strip("_")
    text = legal_start(text or "value", "n")
    if not text.strip("_"):
        text = "value"
    return f"{text}_" if keyword.iskeyword(text) or text in _RESERVED else text


def function_name(tool: str) -> str:
    """The name of a tool's function: the tool's own, but for names that have a meaning inside its module.

    Tool names differ without their underscores (`fold`), so what is added or left out here makes none of them equal.
    """
    name = python_identifier(tool)
    return f"{name}_" if name in _USED_BY_TOOL_MODULES else name


def cut(words: Sequence[str], limit: int, mark: str) -> str:
    """The words joined by underscores; when too long, as many as fit with a hash of `mark` after them."""
    whole = "_".join(words)
    if len(whole) <= limit:
        return whole
    tail = short_hash(mark)
    kept = whole[: limit - len(tail) - 1]
    if whole[len(kept)] != "_" and "_" in kept:
        kept = kept.rpartition("_")[0]
    return f"{kept.rstrip('_')}_{tail}"


def resolve(ladders: Mapping[Key, Sequence[str]], taken: Sequence[str] = ()) -> dict[Key, str]:
    """Gives every key the first name of its ladder that nobody else has.

    Names are compared folded. In a clash everybody moves on to the next name, except a single party that stands
    on a lower step than the others: so a name that is clear by itself is not lost to one that was made up to
    settle another clash. All steps are taken together, so the result does not depend on the order of the keys.

    Args:
        ladders: for every key its names, best first; the last one must be unique by itself (a hash of the key).
        taken: names that nobody may have.
    """
    level = dict.fromkeys(ladders, 0)
    reserved = {fold(name) for name in taken}
    while True:
        groups: dict[str, list[Key]] = {}
        for key, names in ladders.items():
            groups.setdefault(fold(names[level[key]]), []).append(key)
        moving = [key for name, keys in groups.items() for key in _losers(keys, level, name in reserved)]
        moving = [key for key in moving if level[key] + 1 < len(ladders[key])]
        if not moving:
            return {key: names[level[key]] for key, names in ladders.items()}
        for key in moving:
            level[key] += 1


def _losers(keys: list[Key], level: Mapping[Key, int], reserved: bool) -> list[Key]:
    if reserved:
        return keys
    if len(keys) == 1:
        return []
    lowest = min(level[key] for key in keys)
    lowest_keys = [key for key in keys if level[key] == lowest]
    return keys if len(lowest_keys) > 1 else [key for key in keys if level[key] > lowest]
