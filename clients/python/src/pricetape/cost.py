"""What a usage costs: exact totals for each seller, with the row that prices each item and what has no price."""

import re
from collections import Counter
from datetime import datetime, timezone
from decimal import Context, Decimal, Inexact, InvalidOperation
from typing import Any, Dict, Iterable, List, Optional, Tuple, Union
from zoneinfo import ZoneInfo

from .lines import current_rows
from .types import PriceRow

Quantity = Union[int, str, Decimal]
Usage = Dict[str, Any]

_EXACT = Context(prec=200, traps=[Inexact, InvalidOperation])
_DECIMAL = re.compile(r"\d{1,40}(\.\d{1,60})?", re.ASCII)
# Days, windows and a zone; only the windows are required.
_TIMES = re.compile(
    r"(\D\S* )?\d\d:\d\dZ?-\d\d:\d\dZ?(,\d\d:\d\dZ?-\d\d:\d\dZ?)*( [A-Z]\S+/\S+)?", re.ASCII
)
_STEP = re.compile(r">\d+", re.ASCII)
# What counts as input when a request is compared with a step such as ``>200000``.
_IS_INPUT = re.compile(r"(input|cache_read|cache_write)_.*tokens")
_PER_REQUEST = "requests"
_DEFAULT_TTL = "5m"
_DAYS = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
# The price of a dimension without one of its own, as sellers charge it.
_CHARGED_AS = {
    "cache_read_tokens": "input_tokens",
    "cache_write_tokens": "input_tokens",
    "input_text_tokens": "input_tokens",
    "input_image_tokens": "input_tokens",
    "input_audio_tokens": "input_tokens",
    "input_video_tokens": "input_tokens",
    "cache_read_audio_tokens": "input_audio_tokens",
    "cache_read_image_tokens": "input_image_tokens",
    "cache_read_video_tokens": "input_video_tokens",
    "cache_write_audio_tokens": "input_audio_tokens",
    "reasoning_tokens": "output_tokens",
    "output_text_tokens": "output_tokens",
}


def costs(rows: Iterable[PriceRow], usage: Usage) -> List[Dict[str, Any]]:
    """Returns what a usage costs at each seller in the rows, the cheapest first.

    Sellers are ranked by complete totals in the currency that most of them use (``place``); the others follow without a
    place. ``usage`` has ``items`` (each with ``dimension``, ``quantity`` and perhaps ``tier``), and perhaps ``requests``,
    ``tier``, ``contextTokens`` and ``at``, as in the TypeScript client. Each token counts once: ``input_tokens`` are those
    that are neither read from a cache nor written to one.

    Raises ``ValueError`` when a quantity is not a decimal of at least zero.
    """
    sellers: Dict[Tuple[str, str], List[PriceRow]] = {}
    for row in current_rows(rows):
        sellers.setdefault((row["provider"], _name(row)), []).append(row)
    found = sorted((_cost_of_seller(own, usage) for own in sellers.values()), key=_by_name)
    currency = _most_common([own for own in map(_single_currency, found) if own is not None])
    is_ranked = [currency is not None and _single_currency(cost) == currency for cost in found]
    ranked = [cost for cost, ranks in zip(found, is_ranked) if ranks]
    ranked.sort(key=lambda cost: Decimal(cost["total"][currency]))
    totals = [cost["total"][currency] for cost in ranked]
    placed = [{**cost, "place": 1 + totals.index(cost["total"][currency])} for cost in ranked]
    return placed + [cost for cost, ranks in zip(found, is_ranked) if not ranks]


def cost_of(rows: Iterable[PriceRow], usage: Usage) -> Dict[str, Any]:
    """Returns what a usage costs at the one seller of these rows: ``total`` by currency, ``parts`` and ``unpriced``."""
    return _cost_of_seller(current_rows(rows), usage)


def _cost_of_seller(current: List[PriceRow], usage: Usage) -> Dict[str, Any]:
    if not current:
        raise ValueError("There are no rows to price the usage with.")
    charges = [_charge(current, usage, item) for item in _items(current, usage)]
    parts = [charge for charge in charges if "row" in charge]
    total: Dict[str, Decimal] = {}
    for part in parts:
        currency = part["row"]["currency"]
        total[currency] = _EXACT.add(total.get(currency, Decimal(0)), Decimal(part["cost"]))
    return {
        "provider": current[0]["provider"],
        "resource": _name(current[0]),
        "total": {currency: _text(amount) for currency, amount in total.items()},
        "parts": parts,
        "unpriced": [charge for charge in charges if "row" not in charge],
    }


def openai_items(usage: Dict[str, Any]) -> List[Dict[str, Any]]:
    """Returns the items of a usage that counts cached, reasoning and audio tokens within its sums, as OpenAI's does."""
    given = usage.get("prompt_tokens_details") or usage.get("input_tokens_details") or {}
    made = usage.get("completion_tokens_details") or usage.get("output_tokens_details") or {}
    cached, input_audio = given.get("cached_tokens") or 0, given.get("audio_tokens") or 0
    reasoning, output_audio = made.get("reasoning_tokens") or 0, made.get("audio_tokens") or 0
    return _used(
        ("input_tokens", _first(usage, "prompt_tokens", "input_tokens") - cached - input_audio, None),
        ("cache_read_tokens", cached, None),
        ("input_audio_tokens", input_audio, None),
        ("output_tokens", _first(usage, "completion_tokens", "output_tokens") - reasoning - output_audio, None),
        ("reasoning_tokens", reasoning, None),
        ("output_audio_tokens", output_audio, None),
    )


def anthropic_items(usage: Dict[str, Any]) -> List[Dict[str, Any]]:
    """Returns the items of a usage that counts cached tokens apart from its input, as Anthropic's does."""
    created = usage.get("cache_creation") or {}
    hour = created.get("ephemeral_1h_input_tokens") or 0
    short = created.get("ephemeral_5m_input_tokens")
    written = (usage.get("cache_creation_input_tokens") or 0) - hour if short is None else short
    return _used(
        ("input_tokens", _first(usage, "input_tokens"), None),
        ("cache_read_tokens", _first(usage, "cache_read_input_tokens"), None),
        ("cache_write_tokens", written, {"ttl": "5m"}),
        ("cache_write_tokens", hour, {"ttl": "1h"}),
        ("output_tokens", _first(usage, "output_tokens"), None),
        ("web_searches", (usage.get("server_tool_use") or {}).get("web_search_requests") or 0, None),
    )


def _used(*items: Tuple[str, int, Optional[Dict[str, str]]]) -> List[Dict[str, Any]]:
    return [
        {"dimension": dimension, "quantity": quantity, **({"tier": tier} if tier else {})}
        for dimension, quantity, tier in items
        if quantity != 0
    ]


def _first(usage: Dict[str, Any], *names: str) -> int:
    return next((usage[name] for name in names if usage.get(name) is not None), 0)


def _items(rows: List[PriceRow], usage: Usage) -> List[Dict[str, Any]]:
    """A seller that charges for each request does so whether the usage names that or not."""
    used = [item for item in usage["items"] if _exact(item["quantity"]) > 0]
    charges = any(row["dimension"] == _PER_REQUEST for row in rows)
    named = any(item["dimension"] == _PER_REQUEST for item in usage["items"])
    return used + [{"dimension": _PER_REQUEST, "quantity": 1}] if charges and not named and used else used


def _charge(rows: List[PriceRow], usage: Usage, item: Dict[str, Any]) -> Dict[str, Any]:
    dimension, quantity = item["dimension"], _exact(item["quantity"])
    tier = {**(usage.get("tier") or {}), **(item.get("tier") or {})}
    context, at = _context(usage), usage.get("at")
    for charged in _charged_dimensions(dimension):
        own = [row for row in rows if row["dimension"] == charged]
        holding = [row for row in own if _holds(row["pricingTier"], tier, context, at)]
        if not holding:
            continue
        row = min(holding, key=_preference)
        cost = _EXACT.multiply(_EXACT.multiply(quantity, Decimal(row["price"])), _exact(usage.get("requests", 1)))
        part = {"dimension": dimension, "quantity": _text(quantity), "row": row, "cost": _text(cost)}
        if charged != dimension:
            part["chargedAs"] = charged
        if at is None and any(_varies(row["pricingTier"], tier, context) for row in own):
            part["variesByTime"] = True
        return part
    return {"dimension": dimension, "quantity": _text(quantity), "reason": _reason(rows, dimension, tier)}


def _charged_dimensions(dimension: str) -> List[str]:
    charged = _CHARGED_AS.get(dimension)
    return [dimension] if charged is None else [dimension, *_charged_dimensions(charged)]


def _holds(tier: Dict[str, str], wanted: Dict[str, str], context: Decimal, at: Optional[str]) -> bool:
    """A tier that says something else does not hold; one that says nothing of what was asked does, except for a service."""
    service = wanted.get("service")
    if (None if service == "standard" else service) != tier.get("service"):
        return False
    for key, value in tier.items():
        if key == "context":
            holds = bool(_STEP.fullmatch(value)) and context > Decimal(value[1:])
        elif key == "timeOfDay":
            holds = wanted.get(key) == value or (at is not None and _holds_at(value, at))
        elif key == "ttl":
            holds = value == wanted.get(key, _DEFAULT_TTL)
        else:
            holds = key == "service" or value == wanted.get(key)
        if not holds:
            return False
    return True


def _varies(tier: Dict[str, str], wanted: Dict[str, str], context: Decimal) -> bool:
    others = {key: value for key, value in tier.items() if key != "timeOfDay"}
    return "timeOfDay" in tier and _holds(others, wanted, context, None)


def _preference(row: PriceRow) -> Tuple:
    """More that is said about the request first, then the highest step, then dollars."""
    tier = row["pricingTier"]
    return (-len(tier), -int(tier.get("context", ">0")[1:]), row["currency"] != "USD", row["contentHash"])


def _holds_at(time_of_day: str, at: str) -> bool:
    """Which days are public holidays is not known here: no day counts as one. A tier in other words never holds."""
    if not _TIMES.fullmatch(time_of_day):
        return False
    parts = time_of_day.split(" ")
    first = next(index for index, part in enumerate(parts) if part[0].isdigit())
    days = parts[0].split(",") if first == 1 else []
    zone = ZoneInfo(parts[first + 1]) if len(parts) > first + 1 else timezone.utc
    local = datetime.fromisoformat(re.sub(r"Z$", "+00:00", at)).astimezone(zone)
    day, time = local.weekday(), local.strftime("%H:%M")
    for window in parts[first].replace("Z", "").split(","):
        begin, end = window.split("-")
        today, yesterday = _is_on(days, day), _is_on(days, (day + 6) % 7)
        if begin < end and today and begin <= time < end:
            return True
        if begin > end and ((today and begin <= time) or (yesterday and time < end)):
            return True
    return False


def _is_on(days: List[str], day: int) -> bool:
    named = [item for item in days if not item.startswith("!")]
    return not named or any(_is_in(item, day) for item in named)


def _is_in(item: str, day: int) -> bool:
    names = item.split("-")
    if names[0] not in _DAYS:
        return False
    begin, end = _DAYS.index(names[0]), _DAYS.index(names[-1])
    return begin <= day <= end if begin <= end else day >= begin or day <= end


def _context(usage: Usage) -> Decimal:
    if usage.get("contextTokens") is not None:
        return _exact(usage["contextTokens"])
    total = Decimal(0)
    for item in usage["items"]:
        if _IS_INPUT.fullmatch(item["dimension"]):
            total = _EXACT.add(total, _exact(item["quantity"]))
    return total


def _reason(rows: List[PriceRow], dimension: str, wanted: Dict[str, str]) -> str:
    charged = _charged_dimensions(dimension)
    tiers = sorted({_tier_text(row["pricingTier"]) for row in rows if row["dimension"] in charged})
    if not tiers:
        return "no price is published"
    more = "; …" if len(tiers) > 5 else ""
    return f"no price in {_tier_text(wanted)}, only in: {'; '.join(tiers[:5])}{more}"


def _tier_text(tier: Dict[str, str]) -> str:
    return ", ".join(f"{key} {value}" for key, value in sorted(tier.items())) or "the standard tier"


def _exact(value: Quantity) -> Decimal:
    text = format(value, "f") if isinstance(value, Decimal) else str(value)
    if not _DECIMAL.fullmatch(text):
        raise ValueError(f'{value} is not a quantity: give a decimal such as 3000 or "0.5".')
    return Decimal(text)


def _text(amount: Decimal) -> str:
    text = format(amount, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _single_currency(cost: Dict[str, Any]) -> Optional[str]:
    currencies = list(cost["total"])
    return currencies[0] if len(currencies) == 1 and not cost["unpriced"] else None


def _most_common(values: List[str]) -> Optional[str]:
    counts = Counter(values)
    return min(counts, key=lambda value: (-counts[value], value)) if counts else None


def _name(row: PriceRow) -> str:
    return row.get("renamedTo", row["resource"])


def _by_name(cost: Dict[str, Any]) -> Tuple[str, str]:
    return cost["provider"], cost["resource"]
