"""What a usage costs: exact totals for each seller, with the row that prices each item and what has no price."""

import re
from collections import Counter
from decimal import Decimal
from typing import Any, Callable, Dict, Iterable, List, Optional, Tuple, Union

from .credits import credit_price
from .exact import EXACT
from .lines import current_rows, line_name
from .time_of_day import holds_at
from .types import PriceRow
from .usage import anthropic_items, openai_items
from .volume import shares_of, steps_of, volume_range, volume_reason

__all__ = ["anthropic_items", "cost_of", "costs", "openai_items"]

Quantity = Union[int, str, Decimal]
Usage = Dict[str, Any]

_DECIMAL = re.compile(r"\d{1,40}(\.\d{1,60})?", re.ASCII)
_STEP = re.compile(r">\d+", re.ASCII)
# What counts as input when a request is compared with a step such as ``>200000``.
_IS_INPUT = re.compile(r"(input|cache_read|cache_write)_.*tokens")
_PER_REQUEST = "requests"
_DEFAULT_TTL = "5m"
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
    found = sorted(_costs_of_sellers(current_rows(rows), usage), key=_by_name)
    currency = _most_common([own for own in map(_single_currency, found) if own is not None])
    is_ranked = [currency is not None and _single_currency(cost) == currency for cost in found]
    ranked = [cost for cost, ranks in zip(found, is_ranked) if ranks]
    ranked.sort(key=lambda cost: Decimal(cost["total"][currency]))
    totals = [cost["total"][currency] for cost in ranked]
    placed = [{**cost, "place": 1 + totals.index(cost["total"][currency])} for cost in ranked]
    return placed + [cost for cost, ranks in zip(found, is_ranked) if not ranks]


def cost_of(rows: Iterable[PriceRow], usage: Usage) -> Dict[str, Any]:
    """Returns what a usage costs at the one seller of these rows: ``total`` by currency, ``parts`` and ``unpriced``.

    The rows may contain what the provider's credits cost: then its prices in credits are converted.
    """
    sold, credits = _without_credits(current_rows(rows))
    return _cost_of_seller(sold, credits, usage)


def _costs_of_sellers(current: List[PriceRow], usage: Usage) -> Iterable[Dict[str, Any]]:
    for own in _grouped(current, lambda row: row["provider"]).values():
        sold, credits = _without_credits(own)
        for seller in _grouped(sold, line_name).values():
            yield _cost_of_seller(seller, credits, usage)


def _without_credits(rows: List[PriceRow]) -> Tuple[List[PriceRow], List[PriceRow]]:
    """What a provider's credits cost is not an offer of its own beside what it sells for them."""
    credits = [row for row in rows if row["dimension"] == "credits"]
    sold = [row for row in rows if row["dimension"] != "credits"]
    return (sold, credits) if sold else (credits, [])


def _cost_of_seller(current: List[PriceRow], credits: List[PriceRow], usage: Usage) -> Dict[str, Any]:
    if not current:
        raise ValueError("There are no rows to price the usage with.")
    # Items that are priced by the same line share the steps of its volume.
    used: Dict[int, Decimal] = {}
    charges = [part for item in _items(current, usage) for part in _charge(current, credits, usage, item, used)]
    parts = [charge for charge in charges if "row" in charge]
    total: Dict[str, Decimal] = {}
    for part in parts:
        currency = part["currency"]
        total[currency] = EXACT.add(total.get(currency, Decimal(0)), Decimal(part["cost"]))
    return {
        "provider": current[0]["provider"],
        "resource": line_name(current[0]),
        "total": {currency: _text(amount) for currency, amount in total.items()},
        "parts": parts,
        "unpriced": [charge for charge in charges if "row" not in charge],
    }


def _items(rows: List[PriceRow], usage: Usage) -> List[Dict[str, Any]]:
    """A seller that charges for each request does so whether the usage names that or not."""
    used = [item for item in usage["items"] if _exact(item["quantity"]) > 0]
    charges = any(row["dimension"] == _PER_REQUEST for row in rows)
    named = any(item["dimension"] == _PER_REQUEST for item in usage["items"])
    return used + [{"dimension": _PER_REQUEST, "quantity": 1}] if charges and not named and used else used


def _charge(
    rows: List[PriceRow], credits: List[PriceRow], usage: Usage, item: Dict[str, Any], used: Dict[int, Decimal]
) -> List[Dict[str, Any]]:
    dimension, quantity = item["dimension"], _exact(item["quantity"])
    tier = {**(usage.get("tier") or {}), **(item.get("tier") or {})}
    context, at, requests = _context(usage), usage.get("at"), _exact(usage.get("requests", 1))
    for charged in _charged_dimensions(dimension):
        own = [row for row in rows if row["dimension"] == charged]
        holding = sorted((row for row in own if _holds(row["pricingTier"], tier, context, at)), key=_preference)
        if not holding:
            continue
        about: Dict[str, Any] = {}
        if charged != dimension:
            about["chargedAs"] = charged
        if at is None and any(_varies(row["pricingTier"], tier, context) for row in own):
            about["variesByTime"] = True

        def part(row: PriceRow, amount: Decimal, cost: Decimal) -> Dict[str, Any]:
            money = _money(row, cost, credits, tier)
            return {"dimension": dimension, "quantity": _text(amount), "row": row, **money, **about}

        alike = [row for row in holding if _other_than_volume(row) == _other_than_volume(holding[0])]
        if "volume" in tier or not any("volume" in row["pricingTier"] for row in alike):
            cost = EXACT.multiply(EXACT.multiply(quantity, Decimal(holding[0]["price"])), requests)
            return [part(holding[0], quantity, cost)]
        steps = steps_of(alike)
        amount, line = EXACT.multiply(quantity, requests), id(steps[0][0])
        shares, rest = shares_of(steps, amount, used.get(line, Decimal(0)))
        used[line] = EXACT.add(used.get(line, Decimal(0)), amount)
        found = [part(row, share, EXACT.multiply(share, Decimal(row["price"]))) for row, share in shares]
        if rest > 0:
            found.append({"dimension": dimension, "quantity": _text(rest), "reason": volume_reason(steps)})
        return found
    return [{"dimension": dimension, "quantity": _text(quantity), "reason": _reason(rows, dimension, tier)}]


def _money(row: PriceRow, cost: Decimal, credits: List[PriceRow], tier: Dict[str, str]) -> Dict[str, Any]:
    """The cost in the currency of a row, or in what its credits cost."""
    currency = row["currency"]
    if not currency.endswith("_CREDIT"):
        return {"cost": _text(cost), "currency": currency}
    found = credit_price(currency, credits, tier)
    if "unconverted" in found:
        return {"cost": _text(cost), "currency": currency, **found}
    credit = found["credit"]
    converted = EXACT.multiply(cost, Decimal(credit["price"]))
    return {"cost": _text(converted), "currency": credit["currency"], **found}


def _other_than_volume(row: PriceRow) -> Tuple:
    """What rows have in common that differ in their monthly volume alone."""
    tier = sorted((key, value) for key, value in row["pricingTier"].items() if key != "volume")
    return (row["source"], row["unit"], row["currency"], tier)


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
            holds = wanted.get(key) == value or (at is not None and holds_at(value, at))
        elif key == "volume" and "volume" not in wanted:
            holds = volume_range(value) is not None
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
    said = len([key for key in tier if key != "volume"])
    step = int(tier.get("context", ">0")[1:])
    return (-said, -step, row["currency"] != "USD", -len(tier), row["contentHash"])


def _context(usage: Usage) -> Decimal:
    if usage.get("contextTokens") is not None:
        return _exact(usage["contextTokens"])
    total = Decimal(0)
    for item in usage["items"]:
        if _IS_INPUT.fullmatch(item["dimension"]):
            total = EXACT.add(total, _exact(item["quantity"]))
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


def _grouped(rows: Iterable[PriceRow], key: Callable[[PriceRow], str]) -> Dict[str, List[PriceRow]]:
    groups: Dict[str, List[PriceRow]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups


def _text(amount: Decimal) -> str:
    text = format(amount, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _single_currency(cost: Dict[str, Any]) -> Optional[str]:
    currencies = list(cost["total"])
    is_whole = not cost["unpriced"] and not any("unconverted" in part for part in cost["parts"])
    return currencies[0] if is_whole and len(currencies) == 1 else None


def _most_common(values: List[str]) -> Optional[str]:
    counts = Counter(values)
    return min(counts, key=lambda value: (-counts[value], value)) if counts else None


def _by_name(cost: Dict[str, Any]) -> Tuple[str, str]:
    return cost["provider"], cost["resource"]
