"""Effects: words outvote methods, the dangerous answer wins, the reason names the evidence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpgen.diagnostics import Location
from mcpgen.ir.api import Api, MediaType, Operation, Parameter, ParameterIn, RequestBody, Response, Style
from mcpgen.plan.effects.inference import Effect, EffectDecision, infer_action, infer_effect
from mcpgen.plan.overrides.effects import decided
from mcpgen.plan.overrides.resolution import Overrides

HERE = Location("spec.yaml")


def make(
    key: str,
    operation_id: str | None = None,
    summary: str = "",
    description: str = "",
    statuses: tuple[str, ...] = ("200",),
    **more: object,
) -> Operation:
    method, path = key.split(" ", 1)
    responses = tuple(Response(status, "", (), HERE) for status in statuses)
    return Operation(
        method, path, HERE, operation_id, summary, description, responses=responses, **more  # type: ignore[arg-type]
    )


READS = [
    make("GET /boats", "listBoats"),
    make("HEAD /boats/{id}"),
    make("GET /trips", description="By default, returns a list of trips that have not been canceled."),
    make("GET /logs", summary="登录日志列表"),
    make("GET /boats/{id}/can-cancel", "checkCanCancelBoat", "Check if a booking can be cancelled"),
    make("GET /updates", summary="Order updates"),
    make(
        "GET /pods/{id}/proxy", "connectGetPodProxy", description="connect GET requests to the proxy of a pod"
    ),
    make("GET /deleted-boats", "getDeletedBoats", "Get deleted boats"),
    make("GET /jobs/{id}/restore", "restoreStatus"),
    make("GET /reports/export", summary="Export the report"),
    make("POST /boats/search", "searchBoats"),
    make("POST /boats/batch_get", "boats_batch_get"),
    make("POST /boats/list", "getBoatsByIds", "Get boats by IDs"),
    make("POST /price/estimate", summary="Estimate a price"),
    make("POST /templates/preview", summary="Preview a template"),
    make("POST /validate", "validateBoat", "Validate a boat"),
    make("POST /oauth2/introspect", "introspectToken"),
    make("POST /sql", summary="Run a query"),
    make("POST /verify-signature", summary="Verify a webhook signature"),
    make("POST /boats/query", summary="批量查询船只"),
    make("POST /users", summary="根据 ID 获取用户信息"),
    make("POST /orders", summary="退款查询"),
    make("POST /barcos", summary="Buscar barcos"),
    make("POST /schiffe", summary="Schiffe suchen"),
    make("POST /bateaux", summary="Rechercher des bateaux"),
    make("POST /lodki", summary="Получение списка лодок"),
    make("POST /fune", summary="船を検索する"),
    make("POST /getFile", "getFile"),
]

WRITES = [
    make("GET /boats.update", "boats_update", description="Update an existing boat."),
    make("POST /boats", "createBoat", "Create a boat", statuses=("201",)),
    make("POST /stages/validate", "stages_validate_create", statuses=("201",)),
    make("POST /jobs/{id}/evaluate"),
    make("POST /queries", "answerQuery"),
    make("POST /callback", "callback", description="Get login error counts"),
    make("POST /tasks/{id}/requeue", "tasks_requeue_create", description="Retrieve a list of tasks."),
    make("PUT /boats/{id}/estimation", summary="Estimate a boat", description="Updates the estimation."),
    make("GET /boats/{id}/start", summary="Start the boat"),
    make("GET /login", "loginUser", "Logs user into the system"),
    make("POST /boats/{id}/archive", summary="Archive a boat"),
    make("POST /messages", summary="Send a message"),
    make("POST /servers/{id}/stop", summary="Stop a server"),
    make("POST /reports/export", "exportReport", "Export a report", statuses=("202",)),
    make("DELETE /boats/{id}/lock", summary="Unlock a boat"),
    make("DELETE /boats/{id}/star", summary="Remove the star"),
    make("POST /pins/delete_pin", "im_pin_delete_pin", "撤销群置顶"),
    make("POST /messages/forward", summary="合并转发消息"),
    make("PUT /approvals/{id}", summary="通过/拒绝审批任务"),
    make("POST /token", summary="Get an access token"),
    make("POST /domains/{id}/verify", summary="Verify a domain"),
    make("POST /barcos", summary="Crear un barco"),
    make("POST /fune", summary="船を登録する"),
    make("POST /x", summary="导出用户列表"),
    make("POST /lodki/{id}", summary="Обновить лодку"),
]

DESTRUCTIVE = [
    make("DELETE /boats/{id}", "deleteBoat"),
    make("DELETE /sessions/{id}", summary="Deactivate a session"),
    make("POST /boats/{id}/cancel"),
    make("POST /boats/delete", "boats_delete_create"),
    make("GET /logout", summary="Logout"),
    make("GET /boats/delete/{token}", summary="Delete a boat"),
    make("POST /jobs/{id}/stop", summary="Stop a job"),
    make("POST /refunds", "createRefund"),
    make("POST /payouts", description="To send funds to your bank, you create a payout."),
    make("POST /boats/{id}/owner", summary="Transfer ownership of a boat"),
    make("POST /keys/{id}/rotate", summary="Rotate a key"),
    make("POST /system/backup/restore/{id}"),
    make("PATCH /boats/{id}", summary="Update or cancel a boat"),
    make("POST /batch", summary="Batch of changes", description="Adds, updates, or deletes boats."),
    make("POST /boats/{id}/close", summary="Close the account of a boat"),
    make("POST /boats/{id}/archive", summary="Archive a boat", description="Archived boats await deletion."),
    make("PUT /boats/{id}", summary="Update a boat", description="This action cannot be undone."),
    make("POST /log", summary="登录日志删除"),
    make("PUT /pwd", summary="重置用户密码"),
    make("POST /barcos", summary="Eliminar un barco"),
    make("POST /barco", summary="Excluir barco"),
    make("POST /schiffe", summary="Schiff löschen"),
    make("POST /bateaux", summary="Supprimer un bateau"),
    make("POST /lodki", summary="Удаление лодок"),
    make("POST /fune", summary="船を削除する"),
    make("POST /bae", summary="배 삭제"),
    make("PURGE /cache"),
    make("POST /x", summary="支付订单取消"),
]


@pytest.mark.parametrize(
    ("operation", "effect"),
    [
        *((operation, Effect.READ) for operation in READS),
        *((operation, Effect.WRITE) for operation in WRITES),
        *((operation, Effect.DESTRUCTIVE) for operation in DESTRUCTIVE),
    ],
    ids=lambda value: getattr(value, "key", value),
)
def test_effect(operation: Operation, effect: Effect) -> None:
    decision = infer_effect(operation)
    assert decision.effect is effect, decision.reason
    assert (decision.additive is None) == (effect is Effect.READ)


@pytest.mark.parametrize(
    ("operation", "additive", "idempotent"),
    [
        (make("POST /boats", summary="Create a boat"), True, False),
        (make("PUT /boats", summary="Creates boats"), True, False),
        (make("PUT /boats/{id}", summary="Create a boat"), False, True),
        (make("POST /boats", summary="Create or update a boat"), False, True),
        (make("POST /boats/{id}/crew", summary="Add a member to the crew"), True, True),
        (make("POST /boats/{id}/notes", summary="Add a new note"), True, False),
        (make("PATCH /boats/{id}"), False, True),
        (make("POST /boats/{id}"), False, True),
        (make("POST /boats/{id}/sync", summary="Synchronise a boat"), False, False),
        (make("POST /boats/{id}/start", summary="Start a boat"), False, True),
        (make("POST /boats/{id}/exports", summary="Start an export"), True, False),
        (make("POST /boats/{id}/lock", summary="Lock a boat"), False, True),
        (make("DELETE /boats/{id}"), False, True),
        (make("POST /keys/{id}/regenerate", summary="Regenerate a key"), False, False),
        (make("POST /refunds", summary="Refund a payment"), False, False),
        (make("POST /change", summary="Create/modify/delete boats"), False, False),
    ],
    ids=lambda value: getattr(value, "key", None),
)
def test_additive_and_idempotent(operation: Operation, additive: bool, idempotent: bool) -> None:
    decision = infer_effect(operation)
    assert (decision.additive, decision.idempotent) == (additive, idempotent), decision.reason


def test_uploading_over_a_file_destroys_the_old_one() -> None:
    body = RequestBody(True, (MediaType("application/octet-stream", {}),), HERE)
    raw = make("POST /boats/{id}/photos/{name}", "updatePhotoFileByName", body=body)
    assert infer_effect(raw).effect is Effect.DESTRUCTIVE


def test_an_operation_that_only_runs_dry_reads() -> None:
    flag = Parameter("dry_run", ParameterIn.QUERY, True, {"const": True}, Style.FORM, True, HERE)
    assert infer_effect(make("POST /boats", "createBoat", parameters=(flag,))).effect is Effect.READ
    optional = Parameter("dry_run", ParameterIn.QUERY, False, {"type": "boolean"}, Style.FORM, True, HERE)
    assert infer_effect(make("POST /boats", "createBoat", parameters=(optional,))).effect is Effect.WRITE


def test_the_reason_names_the_evidence() -> None:
    assert '"cancel"' in infer_effect(make("POST /boats/{id}/cancel")).reason
    assert "DELETE" in infer_effect(make("DELETE /boats/{id}")).reason
    assert "GET" in infer_effect(make("GET /logout", summary="Logout")).reason


def said(operation: Operation) -> EffectDecision:
    """The effect with what the extensions of the document say."""
    overrides = Overrides(Api("Boats", "1", "3.1.0", operation.origin, operations=(operation,)))
    return decided(operation, infer_effect(operation), overrides.of(operation), overrides.faults)


def test_extensions_override() -> None:
    nested = said(make("DELETE /boats/{id}", extensions={"x-mcp": {"effect": "write", "additive": False}}))
    assert (nested.effect, nested.additive) == (Effect.WRITE, False)
    flat = said(make("POST /boats", extensions={"x-mcp-effect": "read"}))
    assert (flat.effect, flat.additive, flat.idempotent) == (Effect.READ, None, True)
    assert not said(make("PUT /boats", extensions={"x-mcp": {"idempotent": False}})).idempotent


MANAGE = make(
    "POST /orders/{id}/manage", "manageOrder", "Manage an order", "Query, cancel, refund, hold or approve it."
)


@pytest.mark.parametrize(
    ("value", "effect"),
    [
        ("query", "read"),
        ("status", "read"),
        ("preview", "read"),
        ("get_details", "read"),
        ("cancel", "destructive"),
        ("REFUND", "destructive"),
        ("bulkDelete", "destructive"),
        ("取消", "destructive"),
        ("eliminar", "destructive"),
        ("hold", "write"),
        ("approve", "write"),
        ("mark_paid", "write"),
    ],
)
def test_actions(value: str, effect: str) -> None:
    assert infer_action(MANAGE, value).effect == effect


def test_an_unknown_action_is_as_dangerous_as_its_operation() -> None:
    assert infer_effect(MANAGE).effect is Effect.DESTRUCTIVE
    assert infer_action(MANAGE, "frobnicate").effect is Effect.DESTRUCTIVE
    assert infer_action(make("POST /boats/{id}/move"), "frobnicate").effect is Effect.WRITE


@given(st.text(), st.text(), st.text(), st.sampled_from(["GET", "POST", "PUT", "DELETE", "X"]))
def test_any_text_gives_a_decision(operation_id: str, summary: str, path: str, method: str) -> None:
    operation = Operation(method, f"/{path}", HERE, operation_id, summary, summary)
    assert infer_effect(operation).reason
    assert infer_action(operation, summary).reason
