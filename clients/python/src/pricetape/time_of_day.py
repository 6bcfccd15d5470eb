"""Prices that depend on the time of day."""

import re
from datetime import datetime, timezone
from typing import List
from zoneinfo import ZoneInfo

# Days, windows and a zone; only the windows are required.
_TIMES = re.compile(
    r"(\D\S* )?\d\d:\d\dZ?-\d\d:\d\dZ?(,\d\d:\d\dZ?-\d\d:\d\dZ?)*( [A-Z]\S+/\S+)?", re.ASCII
)
_DAYS = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]


def holds_at(time_of_day: str, at: str) -> bool:
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
