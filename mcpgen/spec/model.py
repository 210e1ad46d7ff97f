"""What the stage `spec` hands on: one self-contained document in one shape for all versions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mcpgen.diagnostics import Location
from mcpgen.ir.api import Skipped

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class NormalizedDocument:
    """An OpenAPI document of the shape of version 3.2, whatever it was written as.

    `root` holds `info`, `servers`, `tags`, `paths` and `components` (`schemas`, `securitySchemes`). It differs from a written
    document in that everything but schemas stands in place, nothing is left to defaults or inheritance, and `examples`
    is always a plain list of values:

    - an operation has its path's parameters, servers and texts, its effective `security` (a list), and its `method` as key of the
      path item in upper case (or as the document spells an additional one);
    - a parameter has `style` and `explode`, or `content` with one media type;
    - `headers` maps names to schemas;
    - schemas are JSON Schema 2020-12 objects that pass its meta-schema; references are
      `#/components/schemas/NAME` only, and all of them resolve.

    `origins` maps pointers into `root` (operations, parameters, bodies, responses, schemas, security schemes) to the places in the
    user's files. `skipped` are the operations that could not be understood.
    """

    root: Json
    spec_version: str
    origin: Location
    origins: Mapping[str, Location]
    skipped: tuple[Skipped, ...] = ()
