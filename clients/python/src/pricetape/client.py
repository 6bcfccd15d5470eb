"""The client."""

import http.client
import json
import random
import time
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Dict, Iterator, List, Optional, Sequence, Union
from urllib.parse import quote, urlencode, urlsplit

from .cache import AnswerCache, CachedAnswer, MemoryCache
from .errors import AliasChangedError, NoAnswerError, PricetapeError, error_class
from .transport import Answer, StandardTransport, Transport
from .types import (
    Aliases,
    Catalog,
    ConsistencyProof,
    Evidence,
    HistoryPage,
    LogKeys,
    PageProof,
    PriceRow,
    Provider,
    RowProof,
    Walk,
)

Instant = Union[str, datetime]

#: Rows on a page of a walk, unless the call says otherwise.
WALK_LIMIT = 10_000
#: How often a walk starts again because its alias group changes under way.
MAX_RESTARTS = 5
#: The first wait when the server names none; each further one is twice as long.
FIRST_WAIT = 0.5
MAX_WAIT = 30.0
#: Clients that were refused together come back spread over this much time.
JITTER = 0.3
_IN_MEMORY: Any = object()


class Pricetape:
    """Reads one installation of Pricetape. May be used by several threads.

    :param url: its address, such as ``https://prices.example.com``
    :param cache: keeps answers with their ETags, 32 MB in memory when left out; ``None`` keeps nothing
    :param retries: how often a request is sent again after 429, 5xx or no answer
    :param timeout: seconds that the server may be silent
    :param transport: another way to send requests, for example through httpx
    """

    def __init__(
        self,
        url: str,
        api_key: str,
        *,
        cache: Optional[AnswerCache] = _IN_MEMORY,
        retries: int = 8,
        timeout: float = 120.0,
        transport: Optional[Transport] = None,
    ) -> None:
        if not api_key:
            raise ValueError("api_key is missing: create one with npx pricetape key create --name NAME.")
        if urlsplit(url).scheme not in ("http", "https"):
            raise ValueError(f"{url!r} is not an http or https address.")
        self._url = url.rstrip("/")
        self._api_key = api_key
        self._cache = MemoryCache() if cache is _IN_MEMORY else cache
        self._retries = retries
        self._timeout = timeout
        self._transport = transport or StandardTransport()

    def __enter__(self) -> "Pricetape":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        """Closes this thread's connection. Another request opens one again."""
        close = getattr(self._transport, "close", None)
        if close is not None:
            close()

    def history(
        self,
        *,
        providers: Optional[Sequence[str]] = None,
        as_of: Optional[Instant] = None,
        alias: Optional[str] = None,
        resource: Optional[Sequence[str]] = None,
        canonical_resource: Optional[Sequence[str]] = None,
        dimension: Optional[Sequence[str]] = None,
        current: Optional[bool] = None,
        confirmed: Optional[str] = None,
        include: Optional[Sequence[str]] = None,
        since: Optional[Instant] = None,
        limit: Optional[int] = None,
    ) -> HistoryPage:
        """Returns the first page of the price history.

        :param providers: slugs; a credit-priced provider is served only when it is named
        :param as_of: at least 15 minutes in the past; the newest instant allowed when left out
        :param alias: id or name of one alias group
        :param resource: exact names; a former name has to be named too
        :param canonical_resource: such as ``openai/gpt-5``
        :param dimension: what is priced, such as ``input_tokens``
        :param current: only the row of each price line that is its price at ``as_of``
        :param confirmed: ``provider`` or ``independent``: only prices that were confirmed so
        :param include: ``["confirmation"]``: rows say who confirmed them
        :param since: only what differs from this earlier instant
        :param limit: rows on a page: 1 to 10,000
        """
        return self._history(
            providers=None if providers is None else ",".join(_list(providers) or []),
            asOf=_instant(as_of),
            alias=alias,
            # Names may hold commas: each is a parameter of its own.
            resource=_list(resource),
            canonicalResource=_list(canonical_resource),
            dimension=_list(dimension),
            current=None if current is None else str(current).lower(),
            confirmed=confirmed,
            include=None if include is None else ",".join(_list(include) or []),
            since=_instant(since),
            limit=limit,
        )

    def pages(self, *, limit: int = WALK_LIMIT, **query: Any) -> Iterator[HistoryPage]:
        """Yields one page after another, all read at the same instant. Takes what ``history`` takes.

        Raises AliasChangedError when the alias group is saved between two pages: discard the pages and start again.
        """
        page = self.history(limit=limit, **query)
        yield page
        while page["nextCursor"] is not None:
            page = self._history(cursor=page["nextCursor"], limit=limit)
            yield page

    def walk(self, **query: Any) -> Walk:
        """Returns all rows of all pages. Takes what ``history`` takes.

        When the alias group changes under way, the rows read so far are discarded and the walk starts again at the
        first page's instant.
        """
        for restarts in range(MAX_RESTARTS + 1):
            pages: List[HistoryPage] = []
            try:
                for page in self.pages(**query):
                    pages.append(page)
                    query["as_of"] = page["asOf"]
                first: Any = {name: value for name, value in pages[0].items() if name != "nextCursor"}
                for name in ("prices", "unpublished"):
                    if name in first:
                        first[name] = [item for page in pages for item in page.get(name, [])]
                return first
            except AliasChangedError:
                if restarts == MAX_RESTARTS:
                    raise
        raise AssertionError("unreachable")

    def rows(self, **query: Any) -> Iterator[PriceRow]:
        """Yields one row after another, keeping one page in memory. Takes what ``history`` takes.

        With ``alias`` the whole walk is read first, because a change of the group makes rows that were read invalid.
        """
        if query.get("alias") is not None:
            yield from self.walk(**query)["prices"]
            return
        for page in self.pages(**query):
            yield from page["prices"]

    def evidence(self, content_hash: str) -> Evidence:
        """Returns where a served price was read, its place there as it was, and what other sources show.

        Raises NotFoundError.
        """
        return self._get("/v1/prices/evidence/" + quote(content_hash, safe=""))

    def providers(self) -> List[Provider]:
        """Returns the provider directory."""
        return self._get("/v1/providers")["providers"]

    def aliases(self) -> Aliases:
        """Returns the alias groups and every resource that could be compared."""
        return self._get("/v1/comparison/aliases")

    def catalog(self, provider: str) -> Catalog:
        """Returns the resources and documents of one provider. Raises NotFoundError."""
        return self._get("/v1/catalog?" + urlencode({"provider": provider}))

    def log_keys(self) -> LogKeys:
        """Returns the keys and names of the publication log. Trust keys that came on another way than what they verify."""
        return self._get("/v1/log/keys")

    def row_proof(self, content_hash: str) -> RowProof:
        """Returns the proof that a row was published, for ``verify_row``. Raises NotFoundError."""
        return self._get("/v1/log/proof?" + urlencode({"contentHash": content_hash}))

    def page_proof(self, rows: Sequence[PriceRow]) -> PageProof:
        """Returns one proof that up to 10,000 rows were published, for ``verify_page``. Raises NotFoundError."""
        hashes = [row["contentHash"] for row in rows]
        return self._get("/v1/log/proofs", json.dumps({"contentHashes": hashes}).encode())

    def consistency_proof(self, from_size: int) -> ConsistencyProof:
        """Returns the proof that the log begins with the first leaves it had, for ``verify_consistency``.

        Raises NotFoundError.
        """
        return self._get(f"/v1/log/consistency?from={from_size}")

    def _history(self, **parameters: Any) -> HistoryPage:
        given = {name: value for name, value in parameters.items() if value is not None}
        return self._get("/v1/prices/history" + (f"?{urlencode(given, doseq=True)}" if given else ""))

    def _get(self, path: str, body: Optional[bytes] = None) -> Any:
        """Waits and sends the same request again on 429, on 5xx and when no answer comes: every request only reads."""
        attempt = 0
        while True:
            try:
                return json.loads(self._request(self._url + path, body))
            except (PricetapeError, NoAnswerError) as error:
                status = error.status if isinstance(error, PricetapeError) else 0
                if attempt >= self._retries or 0 < status < 500 and status not in (408, 429):
                    raise
                named = getattr(error, "retry_after", None)
                wait = min(FIRST_WAIT * 2**attempt, MAX_WAIT) if named is None else named
            time.sleep(wait + random.random() * JITTER)
            attempt += 1

    def _request(self, url: str, body: Optional[bytes] = None) -> bytes:
        cache = self._cache if body is None else None
        known = cache.get(url) if cache is not None else None
        headers = {"authorization": f"Bearer {self._api_key}", "accept": "application/json"}
        if known:
            headers["if-none-match"] = known.etag
        try:
            if body is None:
                answer = self._transport(url, headers, self._timeout)
            else:
                answer = self._transport(url, {**headers, "content-type": "application/json"}, self._timeout, body)
        except (OSError, http.client.HTTPException) as error:
            raise NoAnswerError(f"{self._url} does not answer: {error or type(error).__name__}") from error
        if answer.status == 304 and known:
            return known.body
        if not 200 <= answer.status < 300:
            raise _error_of(answer)
        etag = answer.headers.get("etag")
        if cache is not None and etag:
            cache.set(url, CachedAnswer(etag, answer.body))
        return answer.body


def _list(names: Optional[Sequence[str]]) -> Optional[List[str]]:
    if isinstance(names, str):
        raise TypeError(f"give a list of names: [{names!r}]")
    return None if names is None else list(names)


def _instant(value: Optional[Instant]) -> Optional[str]:
    if not isinstance(value, datetime):
        return value
    if value.tzinfo is None:
        raise ValueError("This instant has no time zone: use datetime.now(timezone.utc) or an RFC 3339 text.")
    return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")


def _error_of(answer: Answer) -> PricetapeError:
    status, headers = answer.status, answer.headers
    sent: Dict[str, Any] = {}
    try:
        sent = json.loads(answer.body)["error"]
        code, message = sent["code"], sent.get("message", "")
    except (ValueError, KeyError, TypeError):
        sent = {}
        code = f"http_{status}"
        to = headers.get("location")
        message = f"The server redirects to {to}: use that address." if to else f"The server answered {status}."
    return error_class(status, code)(
        message or code,
        status=status,
        code=code,
        field=sent.get("field"),
        retry_after=_seconds(headers.get("retry-after")),
        request_id=headers.get("request-id"),
    )


def _seconds(retry_after: Optional[str]) -> Optional[float]:
    """Seconds, or a date as some proxies send it."""
    if retry_after is None:
        return None
    if retry_after.isdigit():
        return float(retry_after)
    try:
        return max(0.0, (parsedate_to_datetime(retry_after) - datetime.now(timezone.utc)).total_seconds())
    except (TypeError, ValueError):
        return None
