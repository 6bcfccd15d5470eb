"""Runs calls of the Python client: reads a list of `{"call", "options", "query"}` from stdin, prints a list of results or errors."""

import base64
import json
import sys
import typing

from pricetape import NoAnswerError, Pricetape, PricetapeError, current_rows, types
from pricetape.cost import anthropic_items, cost_of, costs, openai_items
from pricetape.proof import ProofError, verify_consistency, verify_page, verify_row
from pricetape.webhooks import WebhookVerificationError, verify_webhook


def main(task):
    if task["call"] == "types":
        return {name: shape_of(getattr(types, name)) for name in task["names"]}
    if task["call"] == "verify":
        return verify_webhook(base64.b64decode(task["body"]), task["headers"], task["secrets"])
    if task["call"] == "verify_row":
        return verify_row(*task["given"]).published_at
    if task["call"] == "verify_page":
        return verify_page(*task["given"]).published_at
    if task["call"] in ("costs", "cost_of", "openai_items", "anthropic_items"):
        return globals()[task["call"]](*task["given"])
    if task["call"] == "verify_consistency":
        return verify_consistency(*task["given"]).size
    with Pricetape(**task["options"]) as client:
        if task["call"] == "rows":
            return list(client.rows(**task["query"]))
        if task["call"] == "current":
            return current_rows(client.walk(**task["query"])["prices"])
        if task["call"] == "twice":
            return [client.walk(**task["query"]) for _ in range(2)]
        return getattr(client, task["call"])(**task["query"])


def shape_of(typed):
    required = set(typed.__annotations__) & set(typed.__required_keys__)
    return {"required": sorted(required), "optional": sorted(set(typed.__optional_keys__))}


def answer(task):
    try:
        return {"result": main(task)}
    except (PricetapeError, NoAnswerError, ProofError, WebhookVerificationError, ValueError, TypeError) as error:
        details = {name: getattr(error, name, None) for name in ("code", "status", "field", "retry_after", "fault", "content_hash")}
        return {"error": {"class": type(error).__name__, "message": str(error), **details}}


json.dump([answer(task) for task in json.load(sys.stdin)], sys.stdout)
