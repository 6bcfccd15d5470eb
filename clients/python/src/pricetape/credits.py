"""What a credit costs, for providers that price in credits."""

from typing import Any, Dict, List

from .lines import line_name
from .types import PriceRow


def credit_price(currency: str, credits: List[PriceRow], tier: Dict[str, str]) -> Dict[str, Any]:
    """Where a usage does not say which cloud, region or edition, a price counts if it is the same in all of them."""
    own = [row for row in credits if line_name(row) == currency]
    if not own:
        return {"unconverted": f"no price of {currency} is published"}
    asked = {key: value for key, value in tier.items() if any(key in row["pricingTier"] for row in own)}
    fitting = sorted(
        (row for row in own if all(row["pricingTier"].get(key, asked[key]) == asked[key] for key in asked)),
        key=lambda row: row["contentHash"],
    )
    if not fitting:
        named = ", ".join(f"{key} {value}" for key, value in asked.items())
        return {"unconverted": f"no price of {currency} is published for {named}"}
    if len({(row["price"], row["currency"]) for row in fitting}) == 1:
        return {"credit": fitting[0]}
    return {"unconverted": f"the price of {currency} differs by {_choices_text(fitting)}: name one in the tier"}


def _choices_text(rows: List[PriceRow]) -> str:
    keys = sorted({key for row in rows for key in row["pricingTier"]})
    values = {key: sorted({row["pricingTier"].get(key, "any") for row in rows}) for key in keys}
    return " and ".join(f"{key} ({', '.join(values[key])})" for key in keys if len(values[key]) > 1)
