"""What all models of this package share."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class ApiModel(BaseModel):
    """A part of an answer. Fields that the document doesn't name are kept, since APIs grow.

    A model is built when it is first used: models that refer to each other would cost seconds to import.
    """

    model_config = ConfigDict(
        extra="allow", populate_by_name=True, protected_namespaces=(), defer_build=True
    )
