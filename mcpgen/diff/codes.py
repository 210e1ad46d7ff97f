"""The codes of changes: what each means, and which of them add something."""

from __future__ import annotations

from collections.abc import Mapping

_SCHEMA: Mapping[str, str] = {
    "type-changed": "another type",
    "type-narrowed": "fewer types",
    "type-widened": "more types",
    "nullable-added": "null is a value now",
    "nullable-removed": "null is no value any more",
    "enum-added": "values are listed now",
    "enum-removed": "values are not listed any more",
    "enum-value-added": "listed value added",
    "enum-value-removed": "listed value removed",
    "const-added": "the value is fixed now",
    "const-removed": "the value is not fixed any more",
    "const-changed": "another fixed value",
    "limit-set": "new limit",
    "limit-removed": "limit removed",
    "limit-tightened": "tighter limit",
    "limit-loosened": "looser limit",
    "limit-changed": "another limit",
    "pattern-added": "new pattern",
    "pattern-removed": "pattern removed",
    "pattern-changed": "another pattern",
    "pattern-generalized": "the pattern admits everything now",
    "format-added": "new format",
    "format-removed": "format removed",
    "format-narrowed": "narrower format",
    "format-widened": "wider format",
    "format-changed": "another format",
    "property-added": "optional property added",
    "property-added-required": "required property added",
    "property-removed": "property removed",
    "property-became-required": "property became required",
    "property-became-optional": "property became optional",
    "others-closed": "further properties are not admitted any more",
    "others-opened": "further properties are admitted now",
    "others-restricted": "further properties have a schema now",
    "others-unrestricted": "further properties have no schema any more",
    "pattern-property-added": "properties that match a pattern have a schema now",
    "pattern-property-removed": "properties that match a pattern have no schema any more",
    "property-names-added": "names of properties are restricted now",
    "property-names-removed": "names of properties are not restricted any more",
    "property-names-changed": "names of properties are restricted otherwise",
    "dependent-required-added": "a property requires others now",
    "dependent-required-removed": "a property doesn't require others any more",
    "dependent-required-changed": "a property requires other ones",
    "dependent-schema-added": "a property brings a condition now",
    "dependent-schema-removed": "a property doesn't bring a condition any more",
    "dependent-schema-changed": "a property brings another condition",
    "position-added": "a further position of a list",
    "position-removed": "a position of a list less",
    "contains-added": "a list has to contain something now",
    "contains-removed": "a list doesn't have to contain something any more",
    "contains-changed": "a list has to contain something else",
    "condition-added": "new condition",
    "condition-removed": "condition removed",
    "condition-changed": "another condition",
    "alternative-added": "alternative added",
    "alternative-removed": "alternative removed",
    "default-added": "default added",
    "default-removed": "default removed",
    "default-changed": "another default",
    "detail-gained": "the published schema says more",
    "detail-lost": "the published schema says less",
}
"""Changes of a schema; the codes begin with `argument-` or `result-`."""

_OTHERS: Mapping[str, str] = {
    "tool-added": "tool added",
    "tool-removed": "tool removed",
    "tool-renamed": "tool renamed",
    "tool-name-reused": "the name belongs to another operation now",
    "operation-moved": "another path or method",
    "operation-id-changed": "another operationId",
    "fixed-values-changed": "other values that the tool sets itself",
    "effect-raised": "the tool does more to the world than before",
    "effect-lowered": "the tool is said to do less to the world than before",
    "argument-added": "optional argument added",
    "argument-added-required": "required argument added",
    "argument-removed": "argument removed",
    "argument-renamed": "argument renamed",
    "argument-moved": "the argument travels in another part of the request",
    "argument-became-required": "argument became required",
    "argument-became-optional": "argument became optional",
    "argument-texts": "other descriptions of arguments",
    "argument-deprecated": "argument deprecated",
    "argument-undeprecated": "argument not deprecated any more",
    "result-body-added": "the tool returns data now",
    "result-body-removed": "the tool returns no data any more",
    "annotation-changed": "another annotation",
    "not-idempotent": "repeating a call is not harmless any more",
    "idempotent": "repeating a call is harmless now",
    "not-additive": "calls can change or remove what is there",
    "additive": "calls only add",
    "auth-added": "credentials are needed now",
    "auth-removed": "no credentials are needed any more",
    "auth-alternative-removed": "a way to authenticate is gone or needs more",
    "auth-alternative-added": "another way to authenticate",
    "auth-scope-added": "more scopes are needed",
    "auth-scope-removed": "fewer scopes are needed",
    "auth-scheme-added": "scheme added",
    "auth-scheme-removed": "scheme removed",
    "auth-scheme-changed": "another kind of scheme",
    "auth-address-changed": "another address that credentials are sent to",
    "auth-variables-changed": "other environment variables for credentials",
    "base-url-changed": "another address of the API",
    "servers-changed": "other addresses to choose from",
    "operation-server-changed": "the operation has another address",
    "project-renamed": "other names of the package",
    "paging-added": "results come in pages now",
    "paging-removed": "results don't come in pages any more",
    "paging-changed": "results are paged otherwise",
    "idempotency-added": "idempotency keys are sent now",
    "idempotency-removed": "idempotency keys are not sent any more",
    "idempotency-changed": "idempotency keys are sent otherwise",
    "request-format-changed": "another format of the request",
    "answer-format-changed": "other formats of the answer",
    "serialization-changed": "parameters are written otherwise",
    "toolset-moved": "another toolset",
    "deprecated": "tool deprecated",
    "undeprecated": "tool not deprecated any more",
    "title-changed": "another title",
    "description-changed": "another description",
}

MEANINGS: Mapping[str, str] = {
    **_OTHERS,
    **{f"{side}-{code}": text for side in ("argument", "result") for code, text in _SCHEMA.items()},
}

_TEXTS = {"argument-texts", "title-changed", "description-changed", "toolset-moved", "operation-id-changed"}
_HIDDEN = {"argument-moved", "operation-moved", "request-format-changed", "answer-format-changed"}
_SAYS = {"deprecated", "undeprecated", "argument-deprecated", "argument-undeprecated", "annotation-changed"}
_NO_ADDITION = frozenset({*_TEXTS, *_HIDDEN, *_SAYS, "result-detail-gained", "argument-detail-lost"})


def meaning_of(code: str) -> str:
    """What a change with this code is, in words.

    Raises:
        KeyError: there is no such code.
    """
    return MEANINGS[code]


def adds(code: str) -> bool:
    """Whether a harmless change with this code gives callers something new, which asks for a minor version."""
    return code not in _NO_ADDITION
