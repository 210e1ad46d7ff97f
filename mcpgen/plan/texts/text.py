"""Makes terse plain text out of the Markdown and HTML that specs are written in.

Words, code and list items stay; images, tags and link targets go. Whatever is not markup is left alone: template
braces, backslashes, quotes and comparisons reach the client as they were written.
"""

from __future__ import annotations

import html
import re
import unicodedata
from functools import lru_cache

_READ = 16_384
"""Characters of one text that are read: several times what the longest description of a tool holds. Texts of megabytes say
no more in it, and would take minutes."""

_TAGS = (
    "a|abbr|address|article|aside|b|big|blockquote|body|br|button|center|cite|code|col|colgroup|dd|del|details|dfn|div"
    "|dl|dt|em|figure|font|footer|h[1-6]|header|hr|html|i|img|input|ins|kbd|label|li|main|mark|nav|ol|p|path|picture"
    "|pre|q|s|samp|section|small|source|span|strike|strong|sub|summary|sup|svg|table|tbody|td|tfoot|th|thead|tr|tt"
    "|u|ul|var|video|securitydefinitions|apilink"
)
_BLOCK = re.compile(
    r"<(?:/?(?:p|div|br|tr|table|ul|ol|dl|h[1-6]|section|aside|blockquote|pre|hr)\b[^<>]*)>", re.IGNORECASE
)
_ITEM = re.compile(r"<(?:li|dt)\b[^<>]*>", re.IGNORECASE)
_CELL = re.compile(r"</(?:td|th)\s*>\s*(?=<t[dh])", re.IGNORECASE)
_TAG = re.compile(rf"</?(?:{_TAGS})(?:\s[^<>]*|/)?>", re.IGNORECASE)
_DROPPED = re.compile(
    r"<(script|style|svg)\b(?:(?!<\1\b).)*?</\1\s*>|<!--(?:(?!<!--).)*?-->", re.IGNORECASE | re.DOTALL
)
_CODE_TAG = re.compile(r"<(code|tt|kbd|samp)\b[^<>]*>((?:(?!<\1\b).)*?)</\1\s*>", re.IGNORECASE | re.DOTALL)
_IMAGE = re.compile(r"!\[[^\[\]\n]*\](?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[[^\]\n]*\])")
_LINK = re.compile(
    r"(?<!\\)\[((?:[^\[\]\n]|\n(?!\s*\n))+)\](?:\((?:[^()\s]|\([^()\s]*\))*(?:\s+\"[^\"]*\")?\)|\[[^\[\]\n]*\])"
)
_REFERENCE = re.compile(r"^ {0,3}\[[^\[\]\n]+\]:\s*\S+[^\n]*$", re.MULTILINE)
_AUTOLINK = re.compile(r"<(https?://[^<>\s]+|[\w.+-]+@[\w-]+\.[\w.-]+)>")
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.*)$", re.MULTILINE)
_RULE = re.compile(r"^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|=+)$", re.MULTILINE)
_QUOTE = re.compile(r"^ {0,3}> ?(?:\[!\w+\]\s*)?", re.MULTILINE)
_BULLET = re.compile(r"^([ \t]*)[*+-]\s+(?:\[[ xX]\]\s+)?", re.MULTILINE)
# A line end inside a sentence: before a small letter, or after a long line that does not announce a list.
_WRAPPED = re.compile(
    r"(?<![\n: ])[ ]?\n[ \t]*(?=[a-z(\u0430-\u044f])|(?<=[^\n]{60}[^\n:. ])[ ]?\n[ \t]*(?=[^\s|#>*+-])"
)
_STRONG = re.compile(r"(?<![\w*\\])(\*\*\*|\*\*)(?=\S)(.{1,2000}?)(?<=[^\s\\])\1(?!\w)", re.DOTALL)
_STRONG_LINE = re.compile(r"(?<![\w_\\])(___|__)(?=[^\s_])([^_\n]+?(?:_[^_\n]+)*?)(?<=[^\s_\\])\1(?![\w_])")
_EMPHASIS = re.compile(r"(?<![\w*\\])\*(?=[^\s*])([^*\n]+?)(?<=[^\s*\\])\*(?![\w*])")
_UNDERLINE = re.compile(r"(?<![\w_\\])_(?=[^\s_])([^_\n]+?)(?<=[^\s_\\])_(?![\w_])")
_STRIKE = re.compile(r"~~(?=\S)([^~\n]+?)~~")
# White space in these stays on its line, and each repetition begins with a sign: so the time is linear.
_TABLE_RULE = re.compile(
    r"^[ \t]*+\|?(?:[ \t]*+:?-{2,}+:?[ \t]*+\|)+(?:[ \t]*+:?-{2,}+:?[ \t]*+)?\|?[ \t]*$\n?", re.MULTILINE
)
_TABLE_ROW = re.compile(r"^[ \t]*+\|(.+)\|[ \t]*$", re.MULTILINE)
_ADMONITION = re.compile(r"^ {0,3}:::+\s*(?:\w+[^\n]*)?$|^ {0,3}!!!\s*\w+[^\n]*$", re.MULTILINE)
_CODE = re.compile(
    r"(?<![`~])(`{3,}+|~{3,}+)[^\n`]*\n(.*?)(?:\n[ \t]*\1[`~]*|\Z)|(?<![\\`])(`++)(.+?)(?<!`)\3(?!`)",
    re.DOTALL,
)

_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
# Code is taken out before markup is read, and put back after. The marks are private use characters, which
# `visible` has removed from the text.
_OPEN, _CLOSE = "\ue000", "\ue001"
_STASHED = re.compile(f"{_OPEN}(\\d+){_CLOSE}")

# Characters that a reader does not see: format controls (bidirectional marks, zero width, tags: general category
# Cf), other controls, private use, variation selectors. A model does see them.
_KEPT_CONTROLS = frozenset("\n\t")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_STOP = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+(?=[^a-z\s])|(?<=[。！？；])|\n")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|approx|incl|resp|cf|Mr|Mrs|Dr|St|No|Inc|Ltd|bzw|z\.B|p\. ?ej)\.|\b[A-Za-z]\.)$"
)


def visible(text: str) -> str:
    """The text without characters that can't be seen; line ends are `\\n`, other spaces become plain ones."""
    if text.isascii():
        return _CONTROLS.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
    return "".join(" " if unicodedata.category(char) == "Zs" else char for char in lines if _is_visible(char))


def _is_visible(char: str) -> bool:
    if char in _KEPT_CONTROLS:
        return True
    category = unicodedata.category(char)
    if category in ("Cc", "Cf", "Cs", "Co", "Cn"):
        return False
    code = ord(char)
    return not (
        0xFE00 <= code <= 0xFE0F
        or 0xE0100 <= code <= 0xE01EF
        or code in (0x034F, 0x115F, 0x1160, 0x3164, 0xFFA0)
    )


@lru_cache(maxsize=8_192)
def clean_text(source: str) -> str:
    """Turns Markdown or HTML into terse plain text; of a very long one its beginning.

    Code is kept as it is written, fenced blocks without their fences. Paragraphs are separated by one line end.
    Every part of the planning asks for the same few texts of an operation again, so they are remembered.
    """
    if len(source) > _READ:
        source = source[
            : max(source.rfind("\n", _READ // 2, _READ), source.rfind(" ", _READ // 2, _READ), _READ // 2)
        ]
    text = _DROPPED.sub("", visible(source))
    text = _CODE_TAG.sub(
        lambda match: f"`{html.unescape(match.group(2)).strip()}`" if match.group(2).strip() else "", text
    )
    code: list[str] = []

    def stash(match: re.Match[str]) -> str:
        fenced = match.group(1) is not None
        code.append(match.group(2) if fenced else f"`{match.group(4)}`")
        mark = f"{_OPEN}{len(code) - 1}{_CLOSE}"
        return f"\n\n{mark}\n\n" if fenced else mark

    plain = _plain(_CODE.sub(stash, text))
    return _tidy(_STASHED.sub(lambda match: code[int(match.group(1))], plain))


def _plain(text: str) -> str:
    """The text without its markup; code is stashed away."""
    text = _ITEM.sub("\n- ", _BLOCK.sub("\n\n", _CELL.sub(": ", text)))
    text = _TAG.sub("", text)
    text = _AUTOLINK.sub(r"\1", _REFERENCE.sub("", _IMAGE.sub("", text)))
    text = _LINK.sub(r"\1", text)
    text = _ADMONITION.sub("", _TABLE_RULE.sub("", text))
    text = _TABLE_ROW.sub(
        lambda match: " | ".join(cell.strip() for cell in match.group(1).split("|")) + "\n", text
    )
    text = _HEADING.sub(_heading, _RULE.sub("", text))
    text = _QUOTE.sub("", text)
    text = _WRAPPED.sub(" ", _BULLET.sub(r"\1- ", text))
    text = _STRONG.sub(r"\2", text)
    # `__init__` is a name, `__Note__` and `__two words__` are bold.
    text = _STRONG_LINE.sub(
        lambda match: match.group() if re.fullmatch(r"[a-z0-9_]+", match.group(2)) else match.group(2), text
    )
    for pattern in (_EMPHASIS, _UNDERLINE, _STRIKE):
        text = pattern.sub(r"\1", text)
    return _entities(text)


def _heading(match: re.Match[str]) -> str:
    """A heading on a line of its own, without the signs that can close it."""
    return f"\n{match.group(1).rstrip().rstrip('#').rstrip()}\n"


def _entities(text: str) -> str:
    """Character references as characters; one that names an invisible character is dropped."""
    return _ENTITY.sub(lambda match: visible(html.unescape(match.group())), text)


def _tidy(text: str) -> str:
    lines = [re.sub(r"[ \t]+", " ", line).strip() for line in text.split("\n")]
    return "\n".join(line for line in lines if line and line not in ("-", "|"))


def one_line(text: str) -> str:
    """The text with line ends as spaces."""
    return re.sub(r"\s+", " ", text).strip()


def sentences(text: str) -> list[str]:
    """The sentences of a plain text; a line end separates too, as items of lists and headings have no full stop."""
    found: list[str] = []
    start = 0
    for match in _STOP.finditer(text):
        piece = text[start : match.end()].strip()
        if not _ABBREVIATION.search(piece):
            found.append(piece)
            start = match.end()
    found.append(text[start:].strip())
    return [piece for piece in found if piece]


def first_sentence(text: str) -> str:
    """The first sentence of a plain text, on one line."""
    found = sentences(text)
    return one_line(found[0]) if found else ""


def shorten(text: str, limit: int) -> str:
    """The text within a limit of characters, cut after a sentence or else after a word, with an ellipsis."""
    if len(text) <= limit:
        return text
    room = limit - 2
    kept = 0
    for piece in sentences(text):
        end = text.find(piece, kept) + len(piece)
        if end > room:
            break
        kept = end
    if kept >= room // 2:
        return f"{text[:kept].rstrip()} …"
    head = text[: limit - 1]
    space = max(head.rfind(" "), head.rfind("\n"))
    return f"{(head[:space] if space >= limit // 2 else head).rstrip()}…"
