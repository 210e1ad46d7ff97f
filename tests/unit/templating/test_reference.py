"""The page that teams write templates by is what the types say."""

from __future__ import annotations

from mcpgen.render.locate import templates_folder
from mcpgen.templating import reference


def test_the_reference_is_up_to_date() -> None:
    path = templates_folder() / "REFERENCE.md"

    assert path.read_text("utf-8") == reference(), "run: mcpgen templates reference > templates/REFERENCE.md"
