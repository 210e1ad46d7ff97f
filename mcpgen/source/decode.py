"""From bytes to text (RFC 8259, section 8.1; YAML 1.2.2, section 5.2)."""

from __future__ import annotations

import codecs

from mcpgen.source.problem import SourceProblem

# The longer marks come first: UTF-32 LE begins with the mark of UTF-16 LE.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE = 4096


def decode(data: bytes) -> str:
    """The text of a document: UTF-8, or what its byte order mark says.

    Raises:
        SourceProblem: the bytes are no text, or text in another encoding.
    """
    encoding, skip = "utf-8", 0
    for mark, name in _MARKS:
        if data.startswith(mark):
            encoding, skip = name, len(mark)
            break
    if encoding == "utf-8" and b"\0" in data[:_SAMPLE]:
        raise SourceProblem("source-syntax", "holds binary data, not JSON or YAML text")
    try:
        return data[skip:].decode(encoding)
    except UnicodeDecodeError as error:
        before = data[skip : skip + error.start]
        if encoding == "utf-8" and _looks_binary(data[:_SAMPLE]):
            raise SourceProblem("source-syntax", "holds binary data, not JSON or YAML text") from None
        text = before.decode(encoding, "replace")
        line, column = text.count("\n") + 1, len(text) - (text.rfind("\n") + 1) + 1
        name = encoding.upper().removesuffix("-LE").removesuffix("-BE")
        raise SourceProblem(
            "source-syntax",
            f"is not {name} text (byte 0x{data[skip + error.start]:02X})",
            (line, column),
            hint="Save the document as UTF-8.",
        ) from None


def _looks_binary(sample: bytes) -> bool:
    odd = sum(byte < 32 and byte not in b"\t\n\r\f\x1b" for byte in sample)
    return odd * 50 > len(sample)
