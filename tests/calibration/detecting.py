"""How many of the written attacks are found, and how much of an honest corpus is taken for one.

`make attacks MCPGEN_CORPUS=folder of specs` prints both; without a folder, the attacks alone.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from mcpgen.plan.naming.lookalikes import disguise, look_alikes
from mcpgen.plan.texts.hostile import hidden_in, instruction_in

ATTACKS: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("attacks.yaml").read_text("utf-8"))
HOLDOUT = [attack for attack in ATTACKS if attack.get("holdout")]
FITTED = [attack for attack in ATTACKS if not attack.get("holdout")]
KINDS = sorted({attack["kind"] for attack in ATTACKS})
_TEXTS = ("title", "summary", "description")
_METHODS = frozenset("get put post delete patch options head trace query".split())


def is_found(attack: dict[str, Any]) -> bool:
    """Whether generating says something about it."""
    if "name" in attack:
        beside = [attack["beside"]] if "beside" in attack else []
        return disguise(attack["name"]) is not None or bool(list(look_alikes([attack["name"], *beside])))
    return instruction_in(attack["text"]) is not None or hidden_in(attack["text"]) is not None


def recall(attacks: list[dict[str, Any]]) -> float:
    """The share that is found."""
    return sum(map(is_found, attacks)) / len(attacks)


def texts_in(value: Any) -> Iterator[tuple[str, str]]:
    """Each text for people in a document, and each name of an operation, with its key."""
    waiting = [value]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            yield from (
                (key, node[key]) for key in (*_TEXTS, "operationId") if isinstance(node.get(key), str)
            )
        waiting += node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()


def alarms_in(document: Any) -> tuple[int, list[str]]:
    """The number of different texts and names of an honest document, and what is said about them."""
    found = set(texts_in(document))
    alarms: list[str] = []
    for key, text in sorted(found):
        if key == "operationId":
            what = disguise(text)
        else:
            hidden, order = hidden_in(text), instruction_in(text)
            what = f"speaks to a model: {order.shown}" if order else hidden.what if hidden else None
        alarms += [f"{key}: {what}"] if what else []
    alarms += [
        " and ".join(group) for group in look_alikes({text for key, text in found if key == "operationId"})
    ]
    return len(found), alarms


def documents(corpus: Path) -> Iterator[tuple[str, Any]]:
    """Each document of a corpus that can be read, with its name."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    for path in sorted(corpus.rglob("*")):
        if path.suffix in (".json", ".yaml", ".yml"):
            try:
                text = path.read_text("utf-8")
                read = json.loads(text) if path.suffix == ".json" else yaml.load(text, loader)
            except (ValueError, yaml.YAMLError):
                continue
            if isinstance(read, dict) and ("openapi" in read or "swagger" in read):
                yield str(path.relative_to(corpus)), read


def main() -> int:
    for kind in KINDS:
        told = [
            f"{sum(map(is_found, some))} of {len(some)} {word}"
            for word, attacks in (("known", FITTED), ("unseen", HOLDOUT))
            if (some := [attack for attack in attacks if attack["kind"] == kind])
        ]
        print(f"{kind:12} {', '.join(told)}")
    print(
        f"all          {recall(FITTED):.0%} of {len(FITTED)} known, {recall(HOLDOUT):.0%} of {len(HOLDOUT)} unseen"
    )
    corpus = os.environ.get("MCPGEN_CORPUS")
    if not corpus:
        print("MCPGEN_CORPUS names no folder of specs: false alarms are not counted")
        return 0
    specs = texts = alarms = 0
    for name, read in documents(Path(corpus)):
        number, found = alarms_in(read)
        specs, texts, alarms = specs + 1, texts + number, alarms + len(found)
        for alarm in found:
            print(f"  {name}: {alarm}")
    print(f"false alarms {alarms} in {texts} texts of {specs} specs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
