"""Builds the HTTP request of one call from the catalogue's description and the tool function's values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote_plus

from ..auth.credentials import Credential, cookie_pair
from ..operation import Operation, Parameter
from ..outcomes.failures import invalid
from ..transport.client import PreparedRequest
from ..values import UNSET, Unset
from .body import encode_body
from .callers_names import callers_names
from .encoding import encode, encode_name
from .files import NO_FOLDER, FileAccess
from .headers import IGNORED, cookie_pairs, header_value
from .overriding import refuse_overriding
from .paths import fill_template, join_url
from .query import query_pairs, querystring

_LONGEST_URL = 60_000
"""The HTTP library refuses 64 KiB, and few servers take a tenth of it."""


@dataclass(frozen=True, slots=True)
class Values:
    """What a tool function sends, by wire name and place; UNSET entries are left out."""

    path: Mapping[str, Any] = field(default_factory=dict)
    query: Mapping[str, Any] = field(default_factory=dict)
    header: Mapping[str, Any] = field(default_factory=dict)
    cookie: Mapping[str, Any] = field(default_factory=dict)
    querystring: Any = UNSET
    body: Any = UNSET
    extra: Any = UNSET


def build_request(
    operation: Operation,
    base_url: str,
    values: Values,
    credential: Credential,
    access: FileAccess = NO_FOLDER,
) -> PreparedRequest:
    """The request as it goes on the wire, credentials included.

    Args:
        access: which files a file argument may name.

    Raises:
        CallFailed: a value can't be written where it belongs. The message names the caller's argument.
    """
    with callers_names(operation, "path"):
        path, own_query = fill_template(operation.path, _of(operation, "path"), _given(values.path))
    with callers_names(operation, "query", "querystring"):
        parts = _query(operation, values, credential, own_query)
    url = join_url(base_url, path)
    if parts:
        url += "?" + "&".join(parts)
    if len(url) > _LONGEST_URL:
        raise invalid("The arguments are too long: they make an address that no server takes.")
    request = PreparedRequest(operation.method, url, auth=credential.auth, certificate=credential.certificate)
    request.headers["Accept"] = operation.accept
    with callers_names(operation, "body"):
        content = body_value(operation, values)
        if content is not UNSET and operation.body is not None:
            request.content, kind = encode_body(operation.body, content, access)
            request.headers["Content-Type"] = kind
    _headers(request, operation, values, credential)
    return request


def _given(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not UNSET}


def _of(operation: Operation, where: str) -> dict[str, Parameter]:
    return {name: parameter for (place, name), parameter in operation.parameters.items() if place == where}


def _parameter(operation: Operation, where: str, name: str, style: str) -> Parameter:
    """The described parameter; one that a team has added in its own code is written in the default style."""
    return operation.parameters.get((where, name)) or Parameter(name, where, style, style == "form")


def _query(operation: Operation, values: Values, credential: Credential, own: str) -> list[str]:
    """The parts of the query: the template's `own`, the caller's, the credential's."""
    keys = dict(credential.query)
    parts: list[str] = [own]
    if not isinstance(values.querystring, Unset):
        whole = next((p for p in _of(operation, "querystring").values()), None)
        parts.append(querystring(whole or Parameter("", "querystring", "form", True), values.querystring))
    for name, value in _given(values.query).items():
        parts += query_pairs(_parameter(operation, "query", name, "form"), value)
    pairs = [pair for part in parts[1:] for pair in part.split("&")]
    refuse_overriding((unquote_plus(pair.partition("=")[0]) for pair in pairs), operation.fixed)
    if keys:  # the operator's credential is not the caller's to replace, by whatever parameter
        pairs = [pair for part in parts for pair in part.split("&")]
        parts = [pair for pair in pairs if unquote_plus(pair.partition("=")[0]) not in keys]
    return [part for part in parts if part] + [
        f"{encode_name(name)}={encode(value)}" for name, value in keys.items()
    ]


def _headers(request: PreparedRequest, operation: Operation, values: Values, credential: Credential) -> None:
    with callers_names(operation, "header"):
        for name, value in _given(values.header).items():
            text = header_value(_parameter(operation, "header", name, "simple"), value)
            if text is not None and name.lower() not in IGNORED:
                request.headers[name] = text
    cookies: dict[str, list[str]] = {}
    with callers_names(operation, "cookie"):
        for name, value in _given(values.cookie).items():
            for key, text in cookie_pairs(_parameter(operation, "cookie", name, "form"), value):
                cookies.setdefault(key, []).append(f"{key}={text}")
    for name, value in credential.cookies:
        cookies[name] = [cookie_pair(name, value)]
    if "cookie" in request.headers:  # a header parameter of that name
        cookies[""] = [request.headers["cookie"]]
    if cookies:  # one header for all of them: RFC 6265, 5.4
        request.headers["Cookie"] = "; ".join(pair for pairs in cookies.values() for pair in pairs)
    for name, value in credential.headers:
        request.headers[name] = value


def body_value(operation: Operation, values: Values) -> Any:
    """The value to send as body, or UNSET for none.

    Fields that are arguments of their own make an object; when none of them is given there is no body at all,
    unless the API requires one or the caller gave the rest of it explicitly.
    """
    body, extra = values.body, values.extra
    if not isinstance(body, dict):
        whole = extra if body is UNSET else body
        if isinstance(whole, Mapping):
            refuse_overriding(whole, operation.fixed)
        return whole
    fields = _given(body)
    if isinstance(extra, Mapping):
        refuse_overriding(extra, operation.fixed)
        return {**extra, **fields}
    required = operation.body is not None and operation.body.required
    if not fields and operation.flattened and not required:
        return UNSET
    return fields
