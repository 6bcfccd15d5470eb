"""Prices with steps of a monthly volume, such as ``0-51200`` and ``>=51200``."""

import re
from decimal import Decimal
from typing import List, Optional, Tuple

from .exact import EXACT
from .types import PriceRow

Step = Tuple[PriceRow, Decimal, Optional[Decimal]]

_VOLUME = re.compile(r">=(\d+(?:\.\d+)?)|(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)", re.ASCII)


def volume_range(volume: str) -> Optional[Tuple[Decimal, Optional[Decimal]]]:
    match = _VOLUME.fullmatch(volume)
    if match is None:
        return None
    above, begin, end = match.groups()
    return (Decimal(above), None) if above else (Decimal(begin), Decimal(end))


def steps_of(rows: List[PriceRow]) -> List[Step]:
    """The steps of rows that differ in ``volume`` alone. A row without one prices what is before the others."""
    ranges = [(row, *(volume_range(row["pricingTier"].get("volume", "")) or (Decimal(0), None))) for row in rows]
    steps = sorted(ranges, key=lambda step: (step[1], "volume" in step[0]["pricingTier"]))
    following = [*(begin for _, begin, _ in steps[1:]), None]
    return [(row, begin, _least(end, after)) for (row, begin, end), after in zip(steps, following)]


def _least(*ends: Optional[Decimal]) -> Optional[Decimal]:
    return min((end for end in ends if end is not None), default=None)


def shares_of(steps: List[Step], amount: Decimal, before: Decimal) -> Tuple[List[Tuple[PriceRow, Decimal]], Decimal]:
    """What of an amount lies in each step, and in none. It begins where the month's use so far ends."""
    after, rest = EXACT.add(before, amount), amount
    shares = []
    for row, begin, end in steps:
        share = EXACT.subtract(after if end is None else min(end, after), max(begin, before))
        if share > 0:
            shares.append((row, share))
            rest = EXACT.subtract(rest, share)
    return shares, rest


def volume_reason(steps: List[Step]) -> str:
    volumes = [row["pricingTier"]["volume"] for row, _, _ in steps if "volume" in row["pricingTier"]]
    return f"no price is published for this part of the monthly volume, only for: {'; '.join(volumes)}"
