"""Whether an overlay was written for the document that it is applied to (Overlay 1.1, Overlay Object, `extends`)."""

from __future__ import annotations

from posixpath import basename
from urllib.parse import unquote, urlsplit

from mcpgen.source.document import Document
from mcpgen.source.joining import joined
from mcpgen.source.overlays.model import Overlay


def mismatch(overlay: Overlay, root: Document) -> str | None:
    """A sentence where `extends` names another document; None where it is absent, fits, or nobody can tell.

    A copy of the document is as good as the document: files that are called the same are taken for it.
    """
    if overlay.extends is None or not root.uri:
        return None
    meant = joined(overlay.document.uri, overlay.extends)
    own = root.value.get("$self") if isinstance(root.value, dict) else None
    if meant is None or meant in (root.uri, own) or _name(meant) == _name(root.uri):
        return None
    return f"the overlay was written for `{overlay.extends}`, not for {root.name}"


def _name(uri: str) -> str:
    return basename(unquote(urlsplit(uri).path))
