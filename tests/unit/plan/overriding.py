"""A small shop, and what is said about it in a configuration or in the document itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from mcpgen.build import build_api
from mcpgen.config import load_config
from mcpgen.diagnostics import Collector, Location, Refused
from mcpgen.ir.api import Api
from mcpgen.plan.model import PackagePlan, ToolPlan
from mcpgen.plan.planner import PlanOptions, plan_package
from mcpgen.source.load import load
from mcpgen.source.options import SourceOptions
from mcpgen.spec import normalize

TEXT: dict[str, Any] = {"type": "string"}
NUMBER: dict[str, Any] = {"type": "integer", "minimum": 1}
OK: dict[str, Any] = {
    "200": {"description": "ok", "content": {"application/json": {"schema": {"type": "object"}}}}
}


def parameter(name: str, where: str, schema: Mapping[str, Any] = TEXT, **more: Any) -> dict[str, Any]:
    return {"name": name, "in": where, "schema": schema, "required": where == "path", **more}


def body(*required: str, **fields: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": fields, "required": list(required)}
    return {"required": True, "content": {"application/json": {"schema": schema}}}


def shop() -> dict[str, Any]:
    """Paths of the shop, to be changed by a test."""
    return {
        "/orders": {
            "get": {
                "operationId": "listOrders",
                "summary": "List orders",
                "parameters": [
                    parameter("limit", "query", NUMBER),
                    parameter("page", "query", NUMBER),
                    parameter("X-Tenant", "header"),
                    parameter("sid", "cookie"),
                ],
                "responses": OK,
            },
            "post": {
                "operationId": "createOrder",
                "summary": "Create an order",
                "requestBody": body("item", item=TEXT, amount=NUMBER, note=TEXT),
                "responses": OK,
            },
        },
        "/orders/{id}": {
            "parameters": [parameter("id", "path", NUMBER)],
            "get": {"operationId": "getOrder", "summary": "Get an order", "responses": OK},
            "put": {
                "operationId": "replaceOrder",
                "summary": "Replace an order",
                "requestBody": body(id=TEXT, note=TEXT),
                "responses": OK,
            },
            "delete": {"operationId": "deleteOrder", "summary": "Delete an order", "responses": OK},
        },
        "/orders/{id}/manage": {
            "parameters": [parameter("id", "path", NUMBER)],
            "post": {
                "operationId": "manageOrder",
                "summary": "Manage an order",
                "requestBody": body(
                    "action", action={"type": "string", "enum": ["query", "cancel"]}, reason=TEXT
                ),
                "responses": OK,
            },
        },
    }


def document(paths: Mapping[str, Any]) -> bytes:
    """The whole document, with one key a line, so that places in it are lines."""
    spec = {
        "openapi": "3.1.0",
        "info": {"title": "Shop", "version": "1"},
        "servers": [{"url": "https://api.example.test"}],
        "paths": paths,
    }
    return json.dumps(spec, indent=1).encode()


@lru_cache(maxsize=1)
def _read(text: bytes) -> tuple[Api, Callable[[Location], Location]]:
    """The document; most tests have the same one."""
    collector = Collector()
    tree = load("-", options=SourceOptions(), diagnostics=collector, stdin=text)
    return build_api(normalize(tree, diagnostics=collector, strict=False), diagnostics=collector), tree.locate


class Shop:
    """Plans the shop with a configuration."""

    def __init__(self, folder: Path) -> None:
        self.paths = shop()
        self.collector = Collector()
        self._folder = folder

    def plan(self, toml: str = "") -> PackagePlan:
        path = self._folder / "mcpgen.toml"
        path.write_text(toml, "utf-8")
        self.collector = Collector()
        config = load_config(path, self.collector)
        api, self.collector.locate = _read(document(self.paths))
        options = PlanOptions(operations=config.operations, paging=config.paging, locate=config.locate)
        return plan_package(api, options, diagnostics=self.collector)

    def tool(self, toml: str, name: str) -> ToolPlan:
        return next(tool for tool in self.plan(toml).tools if tool.name == name)

    @property
    def lines(self) -> list[str]:
        """The document as it was read."""
        return document(self.paths).decode().splitlines()

    def wrong(self, toml: str = "") -> list[tuple[str, int | None, str]]:
        """The faults for which the plan is refused: code, line, message."""
        with pytest.raises(Refused):
            self.plan(toml)
        return list(self._told("config-invalid", "extension-invalid"))

    def said(self, *codes: str) -> list[str]:
        return [message for _, _, message in self._told(*codes)]

    def _told(self, *codes: str) -> Iterator[tuple[str, int | None, str]]:
        for one in self.collector.located():
            if one.code in codes:
                yield one.code, one.location.line if one.location else None, one.message
