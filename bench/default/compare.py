"""Compares what was served with what the sources said, by a difference of its own.

python3 bench/default/compare.py LISTS --to DAY NAME=RUN ...

LISTS is what record.py wrote, each RUN what run.ts wrote. `--to` is the last day that counts; later days of a run show
what became of it. Prints a table with a column for each run, and writes what is behind it to RUN/found.json.
"""

import argparse
import gzip
import json
from collections import Counter
from pathlib import Path

from contradictions import contradictions
from lists import KINDS, READERS, daily, model, released, seller
from news import lasting_changes, new_models, removals

SERVED_KIND = {f"{kind}_tokens": kind for kind in KINDS}


def read_run(folder):
    """Each day: rows that are served at the standard tier by the token, and the open items."""
    for line in gzip.open(folder / "served.ndjson.gz", "rt"):
        day = json.loads(line)
        rows, twice = [], Counter()
        for source, provider, resource, dimension, unit, tier, price in day["served"]:
            twice[provider, resource, dimension, unit, tier] += 1
            if tier == "{}" and unit == "usd_per_token" and dimension in SERVED_KIND:
                of = seller(provider)
                key = (of, model(resource, of))
                rows.append((key, SERVED_KIND[dimension], float(price) * 1e6, source, (provider, resource)))
        about = {(item["provider"], name) for item in day["open"] for name in names_of(item)}
        yield day["day"], rows, about, sum(1 for count in twice.values() if count > 1), len(day["served"])


def names_of(item):
    return {*(item["resources"] or []), *(line.rsplit(" ", 1)[0] for line in item["lines"] or [])}


def judged(items):
    """Whether items were worth a person's time, as items.json says. None for those that it does not name."""
    path = Path(__file__).with_name("items.json")
    labels = {(one["source"], one["provider"], one["about"]): one["worth"] for one in json.loads(path.read_text())}
    return [labels.get((item["source"], item["provider"], min(names_of(item), default=""))) for item in items]


def removal_events(folder):
    for line in (folder / "events.ndjson").read_text().splitlines():
        event = json.loads(line)
        if event["type"].startswith("resource.removed"):
            yield {"day": event["createdAt"][:10], "provider": event["provider"], "resource": event["resource"]}


def share(part, whole):
    return f"{part} of {whole} ({100 * part / whole:.1f} %)" if whole else f"{part} of {whole}"


def outcomes(counts):
    """How many of them were in time, then what became of the others."""
    in_time = next((name for name in counts if name.startswith("within")), None)
    others = ", ".join(f"{count} {name}" for name, count in counts.items() if name != in_time)
    return share(counts[in_time] if in_time else 0, sum(counts.values())) + (f"; {others}" if others else "")


def figures(folder, lists_folder, last):
    run = list(read_run(folder))
    days = [day for day, *_ in run]
    lists = {source: found for source in READERS if (found := daily(lists_folder, source, days))}
    per_day, ever = contradictions(run, days, lists, last)
    changes, late = lasting_changes(run, days, lists, last)
    models, unseen = new_models(run, days, lists, last, released(lists_folder))
    gone, kept, announced, again = removals(run, days, lists, last, list(removal_events(folder)))
    opened = [one for one in json.loads((folder / "reviews.json").read_text()) if one["openedAt"][:10] <= last]
    items = [one for one in opened if one.get("asks", True)]
    found = {
        "contradicted": [[*name, what] for name, what in ever.items()], "changes missed": late,
        "models missed": unseen, "removals missed": kept, "announced": announced, "again": again, "items": items,
    }  # fmt: skip
    (folder / "found.json").write_text(json.dumps(found, indent=1))
    by = sum((day.by for day in per_day), Counter())
    worth = judged(items)
    unread = f"; {worth.count(None)} not named" if None in worth else ""
    end = per_day[-1]
    return {
        "served lines on the last day; of these compared with another list": f"{end.total}; {end.known}",
        "contradicted for over 48 hours, on the last day": share(sum(end.by.values()), end.known),
        "mean of all days": share(sum(by.values()), sum(day.known for day in per_day)),
        "- by the seller's own list": str(by["own"]),
        "- by two other origins": str(by["two origins"]),
        "- of these, with an item to review": share(sum(day.reviewed for day in per_day), sum(by.values())),
        "models' lines that the seller's own list does not have, on the last day": str(end.dead),
        "lines served from two sources": str(max(day.twice for day in per_day)),
        "lasting changes of served lines, served within 48 hours": outcomes(changes["served"]),
        "- days on which a seller had such changes, all served within 48 hours": outcomes(changes["days"]),
        "lasting changes of lines in any list, the same": outcomes(changes["listed"]),
        "new models of makers, served within 48 hours": outcomes(models),
        "models gone for good, removed within 21 days": outcomes(gone),
        "removals announced; listed again within 30 days": f"{len(announced)}; {len(again)}",
        "review items that ask a person, a week": f"{len(items) / (days.index(last) + 1) * 7:.1f}",
        "- of these worth a person's time": share(worth.count(True), len(worth) - worth.count(None)) + unread,
        "- held until time or the list ends it, a week": f"{(len(opened) - len(items)) / (days.index(last) + 1) * 7:.1f}",
    }


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("lists", type=Path)
    arguments.add_argument("--to", required=True)
    arguments.add_argument("runs", nargs="+", metavar="NAME=RUN")
    given = arguments.parse_args()
    named = [one.split("=", 1) for one in given.runs]
    columns = [figures(Path(run), given.lists, given.to) for _, run in named]
    print("| | " + " | ".join(name for name, _ in named) + " |\n|---" * 1 + "|---" * len(named) + "|")
    for row in columns[0]:
        print(f"| {row} | " + " | ".join(column[row] for column in columns) + " |")


if __name__ == "__main__":
    main()
