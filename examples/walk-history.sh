#!/usr/bin/env bash
# Reads every price of some providers, or of one alias group, as it stood at one instant; prints a page per line.
#
#   PRICETAPE_API_KEY=ptk_… examples/walk-history.sh 'providers=openai,anthropic'
#   PRICETAPE_API_KEY=ptk_… examples/walk-history.sh 'alias=GPT-5&asOf=2026-08-01T00:00:00Z'
#
# Needs curl. The query is sent unchanged, so escape what a URL needs escaped.
set -euo pipefail

url=${PRICETAPE_URL:-http://localhost:8080}/v1/prices/history
limit=${PRICETAPE_LIMIT:-10000}
first=${1:-}
as_of=
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# One page into $work/body; returns its status. Waits retry-after on 429 and 503, backs off on 500.
page() {
  local status attempt retry_after
  for attempt in 1 2 3 4 5 6 7 8; do
    status=$(curl -sS -o "$work/body" -D "$work/head" -w '%{http_code}' \
      -H "authorization: Bearer ${PRICETAPE_API_KEY:?set PRICETAPE_API_KEY}" "$url?$1&limit=$limit")
    if [ "$status" != 429 ] && [ "$status" -lt 500 ]; then break; fi
    retry_after=$(sed -n 's/^retry-after: *\([0-9]*\).*/\1/ip' "$work/head")
    sleep "${retry_after:-$((2 ** attempt))}.$((RANDOM % 4))" # jitter, for workers that share a key
  done
  echo "$status"
}

field() { sed -n "s/^{[^[]*\"$1\":\"\([^\"]*\)\".*/\1/p" "$work/body"; }

query=$first
: > "$work/pages"
while :; do
  status=$(page "$query")
  if [ "$status" = 409 ]; then # the alias group changed: start again at the same instant
    : > "$work/pages"
    case $first in *asOf=*) query=$first ;; *) query="$first&asOf=$as_of" ;; esac
    continue
  fi
  if [ "$status" != 200 ]; then
    cat "$work/body" >&2
    exit 1
  fi
  { cat "$work/body"; echo; } >> "$work/pages"
  as_of=$(field asOf)
  cursor=$(field nextCursor)
  if [ -z "$cursor" ]; then break; fi
  query="cursor=$cursor"
done
cat "$work/pages"
