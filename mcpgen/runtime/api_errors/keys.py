"""The names that APIs give to the members of their errors, without case and separators."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .fields import LOCATIONS
from .model import Place, squashed

TEXTS = (
    "title detail message errordescription error reason description msg fault errormessage errormsg errmsg retmsg submsg "
    "usermessage displaymessage localizedmessage defaultmessage statusmessage resultmessage errordetail errorsummary "
    "faultstring text"
).split()
"""Words for people, in the order in which they are given."""
LOCATED_TEXTS = (
    "detail message msg errormessage errormsg errmsg defaultmessage description reason errordescription error title text"
).split()
"""The same, the most precise first: for an error that is about one field."""
SHOWN_CODES = ("declinecode", "subcode", "code", "errorcode", "errcode", "issue", "reason")
"""Codes that say more than the words beside them often do."""
CODES = frozenset(
    (*SHOWN_CODES, "error", "errortype", "type", "exception", "status", "retcode", "name", "keyword")
)
_CODE_ORDER = (
    *SHOWN_CODES,
    "error",
    "errortype",
    "type",
    "exception",
    "status",
    "retcode",
    "name",
    "faultcode",
)
CONTAINERS = (
    "errors errorlist errormessages details violations invalidparams messages issues causes fielderrors fieldviolations "
    "validationerrors validation modelstate fields children item items entry violation member errordetails suberrors "
    "validationmessages"
).split()
"""Members that hold further errors, as a list or as a map of field names."""
DATA_CONTAINERS = frozenset({"details", "items", "item", "entry", "member", "children", "messages", "causes"})
"""Those of them that also hold other data: an object there is read only when it looks like a map of fields."""
BURIED = frozenset(
    {"errors", "validationerrors", "fielderrors", "errormessages", "violations", "fieldviolations"}
)
GENERAL = frozenset(
    {"", "nonfielderrors", "all", "base", "root", "general", "global", "error", "errors", "schema"}
)
"""Field names that stand for the whole request."""
UNTOLD_DETAILS = frozenset({"DebugInfo", "Help", "RequestInfo"})
"""google.rpc details that say nothing about the call: stack traces, links, ids."""

_ALWAYS_PLACES = (
    "field fieldname param parameter paramname parametername argument argumentname property propertyname invalidfield"
).split()
"""Members that name a place wherever they stand."""
_INNER_PLACES = (
    "pointer path propertypath instancepath datapath jsonpath loc attribute attr location target name key element"
).split()
"""Members that name a place in an error that is one of several; elsewhere they often mean something else."""
_PLACES = (*_ALWAYS_PLACES, *_INNER_PLACES)
_WAITS = {
    **dict.fromkeys(
        ("retryafter", "retryafterseconds", "retryaftersec", "retryaftersecs", "retrydelay"), 1.0
    ),
    **dict.fromkeys(("retryafterms", "retryaftermilliseconds"), 0.001),
}
_OTHER = (
    "source in locationtype extensions locations constraints innererror value rejectedvalue meta links id instance "
    "timestamp statuscode statustext traceid requestid help helpurl moreinfo docurl documentationurl severity params "
    "schemapath keys context input url ctx bindingfailure objectname codes arguments kind success ok resource domain "
    "messagetemplate attemptedvalue formattedmessageplaceholdervalues customstate data subject parameters lang"
).split()
"""Members that stand in errors without saying what is wrong."""
KNOWN = frozenset((*TEXTS, *CODES, *CONTAINERS, *_PLACES, *_WAITS, *_OTHER))

_CODE = re.compile(r"[^\W_][\w.\-]{0,79}")
_SECONDS = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)\s*(ms|s)?")
_MOST = 10


def codes_of(known: Mapping[str, Any], detail: str = "") -> list[str]:
    """The machine codes of one error, the most precise first.

    Args:
        detail: the google.rpc type of the object; some of them mean a code by themselves.
    """
    codes = ["FAILED_PRECONDITION"] if detail == "PreconditionFailure" else []
    for key in _CODE_ORDER:
        code = bare_code(known.get(key))
        if code is not None:
            codes.append(code)
    inner = known.get("innererror")
    for _ in range(_MOST):  # OData: each one is more precise, and its words are for the API's developers
        if not isinstance(inner, dict):
            break
        code = bare_code(inner.get("code"))
        codes += [] if code is None else [code]
        inner = next((value for key, value in inner.items() if squashed(key) == "innererror"), None)
    return codes


def bare_code(told: Any) -> str | None:
    """A machine code without what is around it: a namespace, an address; None for prose."""
    if isinstance(told, int) and not isinstance(told, bool):
        return str(told) if abs(told) < 10**12 else None
    if not isinstance(told, str) or len(told) > 400:
        return None
    text = told.strip()
    if "#" in text:  # `com.example.shop#NoStockException`
        text = text.rpartition("#")[2]
    if "://" in text or text.startswith(("urn:", "/", "tag:")):  # RFC 9457: a problem's type is a URI
        text = re.split(r"[/:]", text.rstrip("/"))[-1]
    return text if _CODE.fullmatch(text) and text != "about:blank" else None


def places_of(known: Mapping[str, Any], base: Place | None, *, root: bool, listed: bool) -> list[Place]:
    """Where in the request an error is.

    Args:
        base: the place that the error stands under; it has no other, unless it names one.
        root: this is the outermost object, whose `path` or `name` is not a field.
        listed: this is one of several errors.
    """
    location = next(
        (
            LOCATIONS[squashed(known[key])]
            for key in ("in", "location", "locationtype", "source")
            if _is_location(known.get(key))
        ),
        None,
    )
    source = known.get("source")
    if isinstance(source, dict):  # JSON:API, Error Objects
        for key, part in (("pointer", "body"), ("parameter", "query"), ("header", "header")):
            if isinstance(source.get(key), str) and source[key].strip("/# "):
                return [Place((source[key],), part)]
    for key in ("fields", "keys"):
        if is_names(known.get(key)):
            return [Place((name,), location) for name in known[key][:_MOST]]
    for key in _ALWAYS_PLACES if root else _PLACES:
        steps = _steps(known.get(key))
        if not steps or (key == "location" and _is_location(known[key])):
            continue
        if key in ("path", "instancepath") and isinstance(
            known.get("params"), dict
        ):  # JSON Schema: `required`
            missing = known["params"].get("missingProperty")
            steps = (*steps, missing) if isinstance(missing, str) else steps
        graphql = key == "path" and ("locations" in known or "extensions" in known)  # where in the answer
        sure = key in _ALWAYS_PLACES or (listed and key != "target" and not graphql)
        return [_inside(base, Place(steps, location, sure))]
    return [] if base is None else [base]


def is_names(told: Any) -> bool:
    """Whether a member lists the names of fields."""
    return isinstance(told, list) and bool(told) and all(isinstance(name, str) and name for name in told)


def _is_location(told: Any) -> bool:
    return isinstance(told, str) and squashed(told) in LOCATIONS


def _steps(told: Any) -> tuple[str | int, ...]:
    if isinstance(told, str) and told.strip("/# ") and len(told) <= 400:
        return (told,)
    if (
        isinstance(told, list)
        and told
        and all(isinstance(s, (str, int)) and not isinstance(s, bool) for s in told)
    ):
        return tuple(told[:20])
    return ()


def _inside(base: Place | None, place: Place) -> Place:
    """A place that is told under another: in full, or by its last step alone."""
    if base is None or squashed(base.spelling) in squashed(place.spelling):
        return place
    return Place((*base.steps, *place.steps), place.location or base.location, place.sure)


def wait_of(known: Mapping[str, Any]) -> float | None:
    """Seconds that a body asks to wait: as a number, or as a text such as `3.5s` (google.rpc.RetryInfo)."""
    inner = known.get("parameters")
    spread = (
        dict(known)
        if not isinstance(inner, dict)
        else {**{squashed(k): v for k, v in inner.items()}, **known}
    )
    for key, factor in _WAITS.items():
        told = spread.get(key)
        if isinstance(told, (int, float)) and not isinstance(told, bool) and 0 <= told < 10**12:
            return float(told) * factor
        match = _SECONDS.fullmatch(told.strip()[:40]) if isinstance(told, str) else None
        if match is not None:
            return float(match[1]) * (0.001 if match[2] == "ms" else factor)
    return None
