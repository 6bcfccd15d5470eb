"""What was new in the recorded lists, and when it was served."""

from collections import Counter, defaultdict

from lists import COMPLETE, MAKERS, days_between, model, own_list, same, seller

LASTING_DAYS, PUBLISHED_DAYS, ANNOUNCED_DAYS, AGAIN_DAYS, NEW_DAYS = 7, 2, 21, 30, 30


def first_sights(days, lists, last):
    """The changes that a list made and kept for a week: {(model, kind): [(price, day of its first sight, list)]}."""
    first = defaultdict(list)
    for name, found in lists.items():
        for index in range(1, len(days) - LASTING_DAYS):
            before, now = found[index - 1], found[index]
            if before is None or now is None or before is now or days[index] > last:
                continue
            for key, kind, price in ((key, *one) for key, prices in now.items() for one in prices.items()):
                old = before.get(key, {}).get(kind)
                if old is None or price == 0 or same(old, price):
                    continue
                lately = [said for said in found[max(0, index - LASTING_DAYS) : index] if said]
                if any(same(said.get(key, {}).get(kind, 0), price) for said in lately):
                    continue  # the end of a slip
                stood = [one for one in found[index : index + LASTING_DAYS + 1] if one]
                if all(same(later.get(key, {}).get(kind, 0), price) for later in stood):
                    others = [sight for sight in first[key, kind] if same(sight[0], price)]
                    if all(index < at for _, at, _ in others):
                        kept = [sight for sight in first[key, kind] if sight not in others]
                        first[key, kind] = [*kept, (price, index, name)]
    return first


def is_news(key, kind, price, index, lists):
    """Whether no list said so before, and the seller's own list says it too, where there is one."""
    before = [found[index - 1] for found in lists.values() if found[index - 1]]
    if any(same(said.get(key, {}).get(kind, 0), price) for said in before):
        return False
    own = lists.get(own_list(key[0]))
    said = [one for one in own[index : index + LASTING_DAYS + 1] if one] if own else []
    return not said or any(same(one.get(key, {}).get(kind, 0), price) for one in said)


def lasting_changes(run, days, lists, last):
    """When the lasting changes were served: of lines that are served, and of all lines that a list has."""
    served = [by_key(rows) for _, rows, *_ in run]
    result, missed, together = {"served": Counter(), "listed": Counter()}, [], defaultdict(list)
    for (key, kind), sights in first_sights(days, lists, last).items():
        for price, index, name in sights:
            if not is_news(key, kind, price, index, lists):
                continue
            at = next((i for i in range(index - 1, len(served)) if holds(served[i], key, kind, price)), None)
            outcome = "never" if at is None else "within 48 h" if at - index <= PUBLISHED_DAYS else "late"
            result["listed"][outcome] += 1
            if (key, kind) in served[index - 1]:
                result["served"][outcome] += 1
                together[key[0], index].append(outcome)
                if outcome != "within 48 h":
                    missed.append([*key, kind, price, days[index], name, outcome])
    result["days"] = Counter(
        "within 48 h" if set(all_of) == {"within 48 h"} else "not" for all_of in together.values()
    )
    return result, missed


def complete_list(of, lists):
    """The list that has all that a seller sells, if there is one and it was recorded."""
    source = own_list(of)
    return lists.get(source) if source in COMPLETE else None


def by_key(rows):
    prices = defaultdict(list)
    for key, kind, price, *_ in rows:
        prices[key, kind].append(price)
    return prices


def holds(served, key, kind, price):
    return any(same(one, price) for one in served.get((key, kind), []))


def new_models(run, days, lists, last, released_on):
    """Models of makers that no list had before, that came out lately and stayed for a week."""
    seen, found = set(), []
    for index, day in enumerate(days[: -LASTING_DAYS or None]):
        for said in lists.values():
            for key in said[index] or {}:
                if key in seen or key[0] not in MAKERS or not said[index][key].get("input"):
                    continue
                seen.add(key)
                if index and day <= last and all(later and key in later for later in said[index : index + LASTING_DAYS + 1]):
                    found.append((key, index))
    served = [{key for key, *_ in rows} for _, rows, *_ in run]
    outcomes, missed = Counter(), []
    for key, index in found:
        out = released_on.get(key[1])
        if out is None or not (days_before(days[index], out) <= NEW_DAYS):
            continue
        at = next((i for i, keys in enumerate(served) if i >= index - 1 and key in keys), None)
        outcome = "never" if at is None else "within 48 h" if at - index <= PUBLISHED_DAYS else "late"
        outcomes[outcome] += 1
        if outcome != "within 48 h":
            missed.append([*key, days[index], outcome, at is not None and days[at]])
    return outcomes, missed


def days_before(day, earlier):
    try:
        return len(list(days_between(earlier, day)))
    except ValueError:
        return NEW_DAYS + 1


def removals(run, days, lists, last, events):
    """Served models that their seller's own list, or else every list that had them, dropped for good."""
    served = [{key for key, *_ in rows} for _, rows, *_ in run]
    outcomes, missed = Counter(), []
    for index in range(1, len(days)):
        if days[index] > last or index + ANNOUNCED_DAYS >= len(served):
            break
        for key in served[index - 1]:
            own = complete_list(key[0], lists)
            judges = [own] if own else [one for one in lists.values() if any(said and key in said for said in one[:index])]
            had = [one for one in judges if one[index - 1] and key in one[index - 1]]
            if not had or any(said is None or key in said for one in judges for said in one[index : index + AGAIN_DAYS]):
                continue
            gone = next((i for i in range(index, len(served)) if key not in served[i]), None)
            outcome = "within 21 days" if gone is not None and gone - index <= ANNOUNCED_DAYS else "not"
            outcomes[outcome] += 1
            if outcome == "not":
                missed.append([*key, days[index]])
    announced, again = [], []
    for event in events:
        day = event["day"]
        if day > last or day not in days:
            continue
        of = seller(event["provider"])
        key = (of, model(event["resource"], of))
        announced.append([*key, day])
        at = days.index(day)
        own = complete_list(of, lists)
        listing = [own] if own else list(lists.values())
        later = [said for one in listing for said in one[at + 1 : at + 1 + AGAIN_DAYS] if said]
        if any(key in said for said in later) and not all(one[at] and key in one[at] for one in listing):
            again.append([*key, day])
    return outcomes, missed, announced, again
