"""Reads recorded lists without any code of the product: dollars per million tokens, by seller, model and kind of price."""

import gzip
import json
import re
from datetime import datetime, timedelta, timezone
from pathlib import Path

# One seller, one name, whatever a list calls it.
SELLERS = {
    "amazon-bedrock": "aws", "bedrock": "aws", "bedrock_converse": "aws", "gemini": "google", "xai": "x-ai",
    "togetherai": "together", "together_ai": "together", "fireworks-ai": "fireworks", "fireworks_ai": "fireworks",
    "novita-ai": "novita", "moonshot": "moonshotai", "dashscope": "alibaba", "cohere_chat": "cohere",
}  # fmt: skip

# The lists in which a seller itself says what it charges, by the beginning of the seller's name.
OWN = {"openrouter": "openrouter-models", "anthropic": "anthropic-pricing", "huggingface-": "huggingface-router"}
# Those that have all that the seller sells.
COMPLETE = {"openrouter-models"}

MAKERS = {
    "openai", "anthropic", "google", "deepseek", "mistral", "x-ai", "cohere", "perplexity", "moonshotai", "zai",
    "minimax", "alibaba",
}  # fmt: skip

KINDS = ("input", "output", "cache_read", "cache_write")
TOKEN_MODES = {None, "chat", "completion", "responses", "embedding"}


# Prices closer than this are one price with another number of digits.
SAME = 0.01


def same(a, b):
    return a == b or abs(a - b) <= SAME * max(abs(a), abs(b))


def seller(name):
    return SELLERS.get(name, name.replace("_", "-"))


def model(name, of=None):
    """A model's name whatever its spelling: case, dots, a prefix that repeats its seller."""
    plain = name.lower().removeprefix("accounts/fireworks/models/")
    first, _, rest = plain.partition("/")
    if rest and of is not None and seller(first) == of:
        plain = rest.removeprefix("accounts/fireworks/models/")
    if of == "fireworks":
        plain = re.sub(r"(?<=\d)p(?=\d)", "-", plain)
    return re.sub(r"[._:@ ]+", "-", plain)


def own_list(of):
    """The list in which a seller itself says what it charges, if there is one."""
    return next((source for start, source in OWN.items() if of == start or start[-1] == "-" and of.startswith(start)), None)


def number(value):
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def genai_prices(data, day):
    for provider in data:
        of = seller(provider["id"])
        for entry in provider["models"]:
            prices = entry.get("prices") or {}
            if isinstance(prices, list):
                dated = [one for one in prices if "start_time" not in (one.get("constraint") or {})]
                if len(dated) < len(prices):
                    continue  # a price of some hours of the day
                begun = [one for one in dated if ((one.get("constraint") or {}).get("start_date") or "") <= day]
                prices = begun[-1]["prices"] if begun else {}
            for kind in KINDS:
                value = prices.get(f"{kind}_mtok")
                yield of, entry["id"], kind, number(value.get("base") if isinstance(value, dict) else value)


def models_dev(data, _):
    for provider in data.values():
        of = seller(provider["id"])
        for name, entry in provider["models"].items():
            for kind in KINDS:
                yield of, name, kind, number((entry.get("cost") or {}).get(kind)) or None


LITELLM = {
    "input": "input_cost_per_token", "output": "output_cost_per_token",
    "cache_read": "cache_read_input_token_cost", "cache_write": "cache_creation_input_token_cost",
}  # fmt: skip


def litellm(data, day):
    for key, entry in data.items():
        if key == "sample_spec" or not isinstance(entry, dict) or entry.get("mode") not in TOKEN_MODES:
            continue
        if (entry.get("deprecation_date") or "9999") < day:
            continue  # the list says itself that it has ended
        of = seller(entry.get("litellm_provider") or "")
        for kind, field in LITELLM.items():
            value = number(entry.get(field))
            yield of, key, kind, value * 1e6 if value else None


OPENROUTER = {
    "input": "prompt", "output": "completion", "cache_read": "input_cache_read", "cache_write": "input_cache_write"
}  # fmt: skip


def openrouter(data, _):
    for entry in data["data"]:
        for kind, field in OPENROUTER.items():
            value = number(entry["pricing"].get(field))
            usable = value is not None and value >= 0 and (value > 0 or kind in ("input", "output"))
            yield "openrouter", entry["id"], kind, value * 1e6 if usable else None


def huggingface(data, _):
    for entry in data["data"]:
        for offer in entry["providers"]:
            for kind in ("input", "output"):
                price = number((offer.get("pricing") or {}).get(kind))
                yield seller(f"huggingface_{offer['provider']}"), entry["id"], kind, price or None


ANTHROPIC = {
    "base input tokens": "input", "output tokens": "output", "5m cache writes": "cache_write",
    "cache hits & refreshes": "cache_read", "cache hits and refreshes": "cache_read",
}  # fmt: skip


def anthropic_page(text, _):
    """The table of the page's Markdown that has the prices of caches."""
    kinds = None
    for line in text.split("\n"):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.lstrip().startswith("|") else None
        if not cells:
            kinds = None
        elif "base input tokens" in (heads := [cell.lower() for cell in cells]):
            kinds = [ANTHROPIC.get(head) for head in heads]
        elif kinds and (name := re.match(r"Claude ([A-Za-z]+) ([0-9.]+)", cells[0])):
            family, version = name[1].lower(), name[2].replace(".", "-")
            spelled = f"claude-{version}-{family}" if version.startswith("3") else f"claude-{family}-{version}"
            for kind, cell in zip(kinds, cells):
                if kind and (price := re.match(r"\$([0-9.]+)", cell)):
                    yield "anthropic", spelled, kind, float(price[1])


READERS = {
    "genai-prices": genai_prices, "models-dev": models_dev, "litellm": litellm, "openrouter-models": openrouter,
    "huggingface-router": huggingface, "anthropic-pricing": anthropic_page,
}  # fmt: skip
PAGES = {"anthropic-pricing"}
# Their entries begin or end on a day.
DATED = {"genai-prices", "litellm"}


def read(source, path, day):
    """What an answer says: {(seller, model): {kind: price}}, models without a price included."""
    raw = gzip.decompress(path.read_bytes())
    data = raw.decode() if source in PAGES else json.loads(raw)
    models = {}
    for of, name, kind, price in READERS[source](data, day):
        prices = models.setdefault((of, model(name, of)), {})
        if price is not None:
            prices.setdefault(kind, price)
    return models


def released(folder):
    """The day on which models.dev says that a model came out, by its name at any seller."""
    days = {}
    for path in sorted((folder / "models-dev").glob("manifest.json")):
        path = folder / "models-dev" / json.loads(path.read_text())[-1]["file"]
        for provider in json.loads(gzip.decompress(path.read_bytes())).values():
            for name, model_of in provider["models"].items():
                if model_of.get("release_date"):
                    days.setdefault(model(name).rpartition("/")[2], str(model_of["release_date"]))
    return days


def days_between(start, end):
    day, last = datetime.fromisoformat(start), datetime.fromisoformat(end)
    while day <= last:
        yield day.date().isoformat()
        day += timedelta(days=1)


def daily(folder, source, days):
    """What a list said at the end of each day, as a list of what `read` returns; None before its first answer."""
    manifest = Path(folder) / source / "manifest.json"
    if not manifest.exists():
        print(f"{source} is skipped: it was not recorded")
        return None
    listed = sorted((datetime.fromisoformat(one["committedAt"]), one["file"]) for one in json.loads(manifest.read_text()))
    periods = manifest.parent / "covered.json"
    covered = json.loads(periods.read_text()) if periods.exists() else [["2000-01-01T00:00:00+00:00", "2100-01-01T00:00:00+00:00"]]
    covered = [[datetime.fromisoformat(at) for at in one] for one in covered]
    found, known = [], {}
    for day in days:
        end = datetime.fromisoformat(day).replace(tzinfo=timezone.utc) + timedelta(hours=23)
        answers = [file for at, file in listed if at <= end]
        # What an answer says can depend on the day. What is the same stays one object, so that it is known as unchanged.
        if answers and (answers[-1] not in known or source in DATED):
            now = read(source, Path(folder) / source / answers[-1], day)
            known = known if known.get(answers[-1]) == now else {answers[-1]: now}
        is_covered = any(begin <= end <= until for begin, until in covered)
        found.append(known[answers[-1]] if answers and is_covered else None)
    return found
