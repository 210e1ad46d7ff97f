"""From the normalized document to the `Api`: the same facts as typed values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mcpgen.build.parts import Json, parameter, request_body, response, server
from mcpgen.diagnostics import Collector, Location
from mcpgen.ir.api import Api, OAuthFlow, Operation, SecurityRequirement, SecurityScheme, Tag
from mcpgen.spec.model import NormalizedDocument


def build_api(document: NormalizedDocument, *, diagnostics: Collector) -> Api:
    """Builds the `Api`. Adds no meaning: what the document leaves open stays open."""
    root = document.root
    info = root["info"]
    return Api(
        title=info["title"] or _fallback_title(document, diagnostics),
        version=info["version"] or "0",
        spec_version=document.spec_version,
        origin=document.origin,
        description=info["description"] or info["summary"],
        servers=tuple(server(item) for item in root["servers"]),
        tags=tuple(Tag(tag["name"], tag["summary"], tag["description"], tag["parent"]) for tag in root["tags"]),
        operations=tuple(_operations(document)),
        schemas=root["components"]["schemas"],
        security_schemes=_schemes(document),
        skipped=document.skipped,
    )


def _fallback_title(document: NormalizedDocument, diagnostics: Collector) -> str:
    diagnostics.add("spec-repaired", "the document has no title; it is called `API`", document.origin)
    return "API"


def _operations(document: NormalizedDocument) -> Iterator[Operation]:
    for path, item in document.root["paths"].items():
        for method, value in item.items():
            pointer = f"/paths/{_escaped(path)}/{_escaped(method)}"
            yield _operation(document.origins, pointer, method, path, value)


def _operation(origins: Mapping[str, Location], pointer: str, method: str, path: str, value: Json) -> Operation:
    origin = origins[pointer]
    return Operation(
        method=method,
        path=path,
        origin=origin,
        operation_id=value["operationId"],
        summary=value["summary"],
        description=value["description"],
        tags=tuple(value["tags"]),
        parameters=tuple(
            parameter(item, origins[f"{pointer}/parameters/{index}"]) for index, item in enumerate(value["parameters"])
        ),
        body=request_body(value.get("requestBody"), origins.get(f"{pointer}/requestBody", origin)),
        responses=tuple(
            response(status, item, origins.get(f"{pointer}/responses/{_escaped(status)}", origin))
            for status, item in value["responses"].items()
        ),
        security=_security(value["security"]),
        servers=tuple(server(item) for item in value["servers"]),
        deprecated=value["deprecated"],
        extensions={key: item for key, item in value.items() if key.startswith("x-")},
    )


def _security(alternatives: list[dict[str, list[str]]]) -> tuple[SecurityRequirement, ...]:
    return tuple({name: tuple(scopes) for name, scopes in alternative.items()} for alternative in alternatives)


def _schemes(document: NormalizedDocument) -> dict[str, SecurityScheme]:
    found = {}
    for name, value in document.root["components"]["securitySchemes"].items():
        found[name] = SecurityScheme(
            name=name,
            type=value["type"],
            origin=document.origins[f"/components/securitySchemes/{_escaped(name)}"],
            scheme=value.get("scheme", ""),
            location=value.get("in", ""),
            parameter_name=value.get("name", ""),
            bearer_format=value.get("bearerFormat", ""),
            flows=tuple(_flow(kind, flow) for kind, flow in value.get("flows", {}).items()),
            openid_url=value.get("openIdConnectUrl"),
            metadata_url=value.get("oauth2MetadataUrl"),
            description=value["description"],
        )
    return found


def _flow(kind: str, value: Mapping[str, Any]) -> OAuthFlow:
    return OAuthFlow(
        kind,
        token_url=value["tokenUrl"],
        authorization_url=value["authorizationUrl"],
        refresh_url=value["refreshUrl"],
        device_url=value["deviceAuthorizationUrl"],
        scopes=value["scopes"],
    )


def _escaped(token: str) -> str:
    return token.replace("~", "~0").replace("/", "~1")
