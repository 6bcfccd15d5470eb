"""Which served lines the sources contradict."""

from collections import Counter, namedtuple

from lists import COMPLETE, OWN, own_list, same

# What a seller's own list said last is its word for so long while it is not recorded.
STALE_DAYS = 7
OWN_LISTS = set(OWN.values())

# Of one day: all served lines, those that another list has too, those that are contradicted for over 48 hours (by whom),
# those of them with an item to review, those of models that their seller's own list does not have, and double ones.
Day = namedtuple("Day", "total known by reviewed dead twice")


def contradicted(key, kind, price, source, said):
    """Whether the seller's own list says another price; where it has none, whether two origins say the same other one."""
    own = own_list(key[0])
    if own in said and (stated := said[own].get(key, {}).get(kind)) is not None:
        return "own" if not same(stated, price) else None
    others = [other[key][kind] for name, other in said.items() if name != source and kind in other.get(key, {})]
    differing = [other for other in others if not same(other, price)]
    agree = any(same(a, b) for i, a in enumerate(differing) for b in differing[i + 1 :])
    return "two origins" if agree else None


def contradictions(run, days, lists, last):
    """The lines that were contradicted on three days in a row: for over 48 hours."""
    runs, per_day, ever = Counter(), [], {}
    for index, (day, rows, about, twice, total) in enumerate(run):
        said = {name: found[index] for name, found in lists.items() if found[index] is not None}
        for own in OWN_LISTS & lists.keys() - said.keys():
            lately = [one for one in lists[own][max(0, index - STALE_DAYS) : index] if one is not None]
            if lately:
                said[own] = lately[-1]
        now, known, long, reviewed, dead = Counter(), 0, Counter(), 0, 0
        for key, kind, price, source, name in rows:
            known += any(kind in other.get(key, {}) for origin, other in said.items() if origin != source)
            own = own_list(key[0])
            dead += own in COMPLETE and own in said and key not in said[own]
            by = contradicted(key, kind, price, source, said)
            if not by:
                continue
            now[name, kind] = runs[name, kind] + 1
            if now[name, kind] > 2:
                long[by] += 1
                reviewed += name in about
                ever.setdefault((*name, kind), {"day": day, "by": by, "served": price, "from": source})
        runs = now
        if index >= 2 and day <= last:
            per_day.append(Day(total, known, long, reviewed, dead, twice))
    return per_day, ever
