"""What changed from one published JSON Schema to another, without regard to who sends and who receives."""

from mcpgen.diff.schemas.compare import compare_schemas
from mcpgen.diff.schemas.model import Delta, Way

__all__ = ["Delta", "Way", "compare_schemas"]
