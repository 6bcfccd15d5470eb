"""Reads every price of some providers, or of one alias group, as it stood at one instant; prints a row per line.

    PRICETAPE_API_KEY=ptk_... python3 examples/walk_history.py 'providers=openai,anthropic'
    PRICETAPE_API_KEY=ptk_... python3 examples/walk_history.py 'alias=GPT-5&asOf=2026-08-01T00:00:00Z'

Python 3.9 or later, no dependencies: copy it.
"""

import json
import os
import random
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

BASE_URL = os.environ.get("PRICETAPE_URL", "http://localhost:8080")
API_KEY = os.environ.get("PRICETAPE_API_KEY", "")
LIMIT = os.environ.get("PRICETAPE_LIMIT", "10000")


class AliasChanged(Exception):
    """The alias group changed between pages: the pages read so far belong to a group that was deleted."""


def page(query):
    """One page. Waits `retry-after` seconds on 429 and 503, and backs off when it fails (500)."""
    url = f"{BASE_URL}/v1/prices/history?{urllib.parse.urlencode(query)}"
    request = urllib.request.Request(url, headers={"authorization": f"Bearer {API_KEY}"})
    for attempt in range(1, 9):
        try:
            with urllib.request.urlopen(request) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as failure:
            error = json.load(failure)["error"]
            if failure.code == 409 and error["code"] == "alias_changed":
                raise AliasChanged from None
            if failure.code != 429 and failure.code < 500:
                raise SystemExit(f"{error['code']}: {error['message']}") from None
            # Jitter keeps workers that share a key from coming back all at once. The cursor stays valid.
            time.sleep(float(failure.headers.get("retry-after", 2**attempt)) + random.random() * 0.3)
    raise SystemExit(f"gave up after {attempt} attempts: {error['message']}")


def walk(first):
    """Every row of one walk. When the alias group changes under way, starts again at the same instant."""
    start = dict(first)
    while True:
        rows = []
        try:
            answer = page({**start, "limit": LIMIT})
            while True:
                rows += answer["prices"]
                start["asOf"] = answer["asOf"]
                if answer["nextCursor"] is None:
                    return answer["asOf"], rows
                answer = page({"cursor": answer["nextCursor"], "limit": LIMIT})
        except AliasChanged:
            continue


as_of, prices = walk(urllib.parse.parse_qsl(sys.argv[1] if len(sys.argv) > 1 else ""))
for row in prices:
    print(json.dumps(row))
print(f"{len(prices)} prices as of {as_of}", file=sys.stderr)
