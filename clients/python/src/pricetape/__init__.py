"""Reads an installation of Pricetape. Webhooks are verified with ``pricetape.webhooks``, proofs with ``pricetape.proof``."""

from .cache import AnswerCache, MemoryCache
from .client import Pricetape
from .errors import (
    AliasChangedError,
    AuthenticationError,
    ConflictError,
    InvalidRequestError,
    NoAnswerError,
    NotFoundError,
    PricetapeError,
    RateLimitedError,
    ServiceError,
)
from .lines import current_rows, price_lines
from .types import AliasGroup, Aliases, Catalog, Evidence, HistoryPage, PriceRow, Provider, Walk, Witness

__all__ = [
    "AliasChangedError",
    "AliasGroup",
    "Aliases",
    "AnswerCache",
    "AuthenticationError",
    "Catalog",
    "ConflictError",
    "Evidence",
    "HistoryPage",
    "InvalidRequestError",
    "MemoryCache",
    "NoAnswerError",
    "NotFoundError",
    "PriceRow",
    "Pricetape",
    "PricetapeError",
    "Provider",
    "RateLimitedError",
    "ServiceError",
    "Walk",
    "Witness",
    "current_rows",
    "price_lines",
]
