"""The answers of the read API. Fields may be added at any time: ignore what you do not know."""

from typing import Dict, List, Optional, TypedDict


class _PriceRow(TypedDict):
    provider: str
    source: str
    resource: str
    dimension: str
    unit: str
    currency: str
    pricingTier: Dict[str, str]
    price: str
    recordedAt: str
    contentHash: str
    approvalStatus: str


class Agreement(TypedDict):
    source: str
    rank: str


class Disagreement(Agreement, total=False):
    """Without a price where the source has none for the line, or one that is held: it waits for review."""

    price: str
    held: bool


class Confirmation(TypedDict):
    """Which sources said the same as of ``asOf``, and which did not."""

    agree: List[Agreement]
    disagree: List[Disagreement]


class PriceRow(_PriceRow, total=False):
    """One published price. ``price`` is an exact decimal per one unit: read it with ``decimal.Decimal``."""

    renamedTo: str
    continues: str
    # Only when "confirmation" was included.
    confirmedAt: str
    contradictedSince: str
    confirmedBy: Confirmation


class Member(TypedDict):
    provider: str
    resource: str


class AliasRevision(TypedDict):
    id: str
    name: str
    revision: int


class _Walk(TypedDict):
    asOf: str
    prices: List[PriceRow]


class Walk(_Walk, total=False):
    """All rows of one walk, read at the instant ``asOf``. ``alias`` and ``members`` come only with ``alias``.

    With ``since``, ``prices`` are the rows that are new or changed and ``unpublished`` the contentHash of each row that
    is served no longer.
    """

    alias: AliasRevision
    members: List[Member]
    since: str
    unpublished: List[str]


class _HistoryPage(TypedDict):
    asOf: str
    nextCursor: Optional[str]
    prices: List[PriceRow]


class HistoryPage(_HistoryPage, total=False):
    """One page of the price history. ``nextCursor`` is None on the last one."""

    alias: AliasRevision
    members: List[Member]
    since: str
    unpublished: List[str]


class Provider(TypedDict):
    provider: str
    name: str
    status: str
    activatedAt: Optional[str]
    freshness: str
    lastCheckedAt: Optional[str]
    confirmedAt: Optional[str]


class AliasGroup(TypedDict):
    id: str
    resource: str
    revision: int
    updatedAt: str
    members: List[Member]
    retired: bool


class UnpricedMember(TypedDict):
    group: str
    provider: str
    resource: str
    lastPricedAt: Optional[str]


class ComparableResource(TypedDict):
    provider: str
    resource: str
    canonicalResource: Optional[str]
    comparisonResource: str


class Aliases(TypedDict):
    groups: List[AliasGroup]
    version: int
    unpriced: List[UnpricedMember]
    resources: List[ComparableResource]
    canReview: bool


class CatalogResource(TypedDict):
    resource: str
    canonicalResource: Optional[str]
    dimensions: List[str]
    confirmedAt: Optional[str]


class CatalogDocument(TypedDict):
    doc: str
    url: str


class Catalog(TypedDict):
    updatedAt: Optional[str]
    resources: List[CatalogResource]
    docs: List[CatalogDocument]


class _StatedBy(TypedDict):
    url: str


class StatedBy(_StatedBy, total=False):
    """Where a list says that it read a price itself."""

    confidence: str
    validatedOn: str


class _Witness(TypedDict):
    source: str
    rank: str
    resource: str
    price: str
    agrees: bool
    independent: bool
    since: str


class Witness(_Witness, total=False):
    """What another source shows for the same price line. Lists that copy one another are not ``independent``."""

    lastReadAt: str
    address: str
    effectiveFrom: str
    statedBy: StatedBy


class _PlaceTable(TypedDict):
    under: List[str]
    rows: List[List[str]]
    headerRows: int


class PlaceTable(_PlaceTable, total=False):
    at: List[int]


class _Place(TypedDict):
    text: str


class Place(_Place, total=False):
    """Where a price stands in the page or file. Foreign text as it was: show it, and never run or render it."""

    mark: List[int]
    table: PlaceTable


class _Read(TypedDict):
    firstReadAt: str


class Read(_Read, total=False):
    """Where a price was read. ``snapshot`` is the SHA-256 of the bytes."""

    address: str
    snapshot: str
    size: int
    contentType: str
    locator: str
    statedBy: StatedBy


class _Evidence(TypedDict):
    contentHash: str
    provider: str
    source: str
    resource: str
    dimension: str
    unit: str
    currency: str
    pricingTier: Dict[str, str]
    price: str
    recordedAt: str
    status: str
    servedFrom: str
    rank: str
    read: Read
    entered: bool
    witnesses: List[Witness]


class Evidence(_Evidence, total=False):
    """Where a served price comes from, and who else shows it. ``noPlace`` says why there is no ``place``."""

    effectiveFrom: str
    servedUntil: str
    place: Place
    noPlace: str


class ProvenRow(TypedDict):
    """What a proof says of one row. ``leaf`` and ``row`` are canonical JSON; SHA-256 of ``row`` is the ``contentHash``."""

    leafIndex: int
    leaf: str
    row: str


class RowProof(ProvenRow):
    """The proof that a row is in the publication log. ``hashes`` are in base64."""

    hashes: List[str]
    checkpoint: str


class PageProof(TypedDict):
    """The proof that every row of a page is in the publication log, in the order of the page."""

    rows: List[ProvenRow]
    hashes: List[str]
    checkpoint: str


# `from` is a word of Python.
ConsistencyProof = TypedDict("ConsistencyProof", {"from": int, "to": int, "hashes": List[str], "checkpoint": str})


class LogKey(TypedDict):
    verifier: str
    origin: str
    since: str
    until: Optional[str]
    lastSize: Optional[int]


class LogOrigin(TypedDict):
    origin: str
    path: str
    reason: str
    since: str
    firstSize: int
    lastSize: Optional[int]
    lostAfter: Optional[str]
    lostUntil: Optional[str]


class LogKeys(TypedDict):
    """The keys that sign checkpoints, and every name that the log had."""

    origin: str
    keys: List[LogKey]
    origins: List[LogOrigin]
