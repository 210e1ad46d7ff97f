"""Security schemes and requirements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Reader = Callable[..., Any]


def test_schemes_of_version_3(read: Reader) -> None:
    schemes = {
        "x-api-key": {"type": "apiKey", "in": "header", "name": "X-Key", "description": "d"},
        "jwt": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"},
        "oidc": {"type": "openIdConnect", "openIdConnectUrl": "https://id.test/.well-known/openid-configuration"},
        "tls": {"type": "mutualTLS"},
        "oauth": {"type": "oauth2", "flows": {
            "clientCredentials": {"tokenUrl": "https://id.test/token", "scopes": {"read": "Read"}}, "x-other": {},
        }},
    }  # fmt: skip
    found = read({"components": {"securitySchemes": schemes}}, "3.1.0").document.root["components"][
        "securitySchemes"
    ]
    assert found["x-api-key"] == {"type": "apiKey", "in": "header", "name": "X-Key", "description": "d"}
    assert found["jwt"]["bearerFormat"] == "JWT"
    assert found["oidc"]["openIdConnectUrl"].startswith("https://id.test/")
    assert found["tls"]["type"] == "mutualTLS"
    assert list(found["oauth"]["flows"]) == ["clientCredentials"]
    assert found["oauth"]["flows"]["clientCredentials"]["tokenUrl"] == "https://id.test/token"
    assert found["oauth"]["flows"]["clientCredentials"]["scopes"] == {"read": "Read"}


def test_schemes_of_version_2(read: Reader) -> None:
    schemes = {
        "basic": {"type": "basic"},
        "app": {
            "type": "oauth2",
            "flow": "application",
            "tokenUrl": "https://id.test/t",
            "scopes": {"a": "b"},
        },
        "code": {
            "type": "oauth2",
            "flow": "accessCode",
            "authorizationUrl": "https://id.test/a",
            "tokenUrl": "https://id.test/t",
        },
    }
    found = read({"securityDefinitions": schemes}, "2.0").document.root["components"]["securitySchemes"]
    assert (found["basic"]["type"], found["basic"]["scheme"]) == ("http", "basic")
    assert list(found["app"]["flows"]) == ["clientCredentials"]
    assert found["code"]["flows"]["authorizationCode"]["authorizationUrl"] == "https://id.test/a"


def test_unusable_schemes_and_unknown_names_are_reported(read: Reader) -> None:
    schemes = {
        "odd": {"type": "magic"},
        "lost": {"$ref": "#/gone"},
        "key": {"type": "apiKey", "in": "body", "name": "k"},
        "ok": {"type": "basic"},
    }
    found = read(
        {"components": {"securitySchemes": schemes}, "security": [{"odd": [], "ok": []}, {"nobody": []}]}
    )
    assert list(found.document.root["components"]["securitySchemes"]) == ["ok"]
    assert found.operation()["security"] == [{"ok": []}]
    messages = found.messages("security-unsupported")
    assert "the security scheme `odd` has the unknown type 'magic'" in messages
    assert "the security scheme `key` does not say where its key goes" in messages
    assert any("`nobody`" in message for message in messages)
    assert "reference-broken" in found.codes()
