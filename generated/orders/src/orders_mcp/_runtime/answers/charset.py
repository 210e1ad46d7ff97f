"""The text of an answer: by its declared charset where that is true, else by what the bytes are."""

from __future__ import annotations

import codecs
import re

from ..requests.media import charset_codec

_XML_DECLARATION = re.compile(rb"""\s*<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z][A-Za-z0-9._-]*)["']""")
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def read_text(content: bytes, media_type: str) -> tuple[str, str | None]:
    """The text, and a note where it had to be read otherwise than it is declared.

    A byte order mark wins (WHATWG Encoding, 6.1), then the charset parameter, then what an XML document says of
    itself (RFC 7303, 3). What is undeclared, or no valid text in its declared charset, is UTF-8 when it can be,
    else what the web calls latin-1.
    """
    declared = charset_codec(media_type)
    for codec in (*_marked(content), *filter(None, (declared, _in_xml(content))), "utf-8"):
        try:
            text = content.decode("utf-8-sig" if _is_utf8(codec) else codec)
        except UnicodeDecodeError:
            continue
        wrong = declared is not None and codec == "utf-8" and not _is_utf8(declared)
        return text, _note(declared) if wrong else None
    return content.decode("cp1252", "replace"), _note(declared)


def _note(declared: str | None) -> str | None:
    """Not in the words of the API: of its media type, only the name of a charset that is known is repeated."""
    if declared is None:
        return None
    return f"The text is not what its media type says ({declared}); it was read by its bytes."


def _marked(content: bytes) -> tuple[str, ...]:
    return tuple(codec for mark, codec in _MARKS if content.startswith(mark))


def _in_xml(content: bytes) -> str | None:
    found = _XML_DECLARATION.match(content[:200])
    return None if found is None else charset_codec(f"text/xml; charset={found[1].decode('ascii')}")


def _is_utf8(codec: str) -> bool:
    return codecs.lookup(codec).name in ("utf-8", "utf-8-sig")
