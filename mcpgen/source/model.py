"""The data types of the stage `source`, for the stages that come after it."""

from mcpgen.source.document import Document, Node
from mcpgen.source.options import SourceOptions
from mcpgen.source.pointer import escape, join, tokens
from mcpgen.source.tree import SourceTree

__all__ = ["Document", "Node", "SourceOptions", "SourceTree", "escape", "join", "tokens"]
