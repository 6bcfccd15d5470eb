"""Price lines: what rows have in common."""

from typing import Dict, Iterable, List, Tuple

from .types import PriceRow


def line_key(row: PriceRow) -> Tuple:
    """Returns what a row has in common with the other rows of its price line.

    A renamed resource is one line: its rows under the old name carry ``renamedTo``.
    """
    tier = tuple(sorted(row["pricingTier"].items()))
    return (row["provider"], row["source"], line_name(row), row["dimension"], row["unit"], row["currency"], tier)


def line_name(row: PriceRow) -> str:
    """Returns the name that the resource of a row has at the instant the rows were read at."""
    return row.get("renamedTo", row["resource"])


def price_lines(rows: Iterable[PriceRow]) -> List[List[PriceRow]]:
    """Returns the rows of each price line, the newest first."""
    lines: Dict[Tuple, List[PriceRow]] = {}
    for row in rows:
        lines.setdefault(line_key(row), []).append(row)
    return [sorted(line, key=lambda row: row["recordedAt"], reverse=True) for line in lines.values()]


def current_rows(rows: Iterable[PriceRow]) -> List[PriceRow]:
    """Returns the newest row of each price line: its current price at the instant the rows were read at."""
    return [line[0] for line in price_lines(rows)]
