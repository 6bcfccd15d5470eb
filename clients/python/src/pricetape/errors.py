"""What can go wrong. Go by the class, or by ``status``: a newer server may send codes that are not listed here."""

from typing import Optional


class PricetapeError(Exception):
    """What the service answered instead of data. The message is for people and may change."""

    def __init__(
        self,
        message: str,
        *,
        status: int,
        code: str,
        field: Optional[str] = None,
        retry_after: Optional[float] = None,
        request_id: Optional[str] = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        #: ``http_<status>`` when the answer was not the service's own, but for example a proxy's.
        self.code = code
        #: The parameter at fault.
        self.field = field
        #: Seconds to wait before the same request may be sent again.
        self.retry_after = retry_after
        #: Name it when you report a fault of the service.
        self.request_id = request_id


class InvalidRequestError(PricetapeError):
    """400: a parameter is wrong. Correct the one that ``field`` names."""


class AuthenticationError(PricetapeError):
    """401 or 403: there is no key, or it is wrong, expired or deleted."""


class NotFoundError(PricetapeError):
    """404: the alias group or provider does not exist."""


class ConflictError(PricetapeError):
    """409."""


class AliasChangedError(ConflictError):
    """409 ``alias_changed``: the group was saved between two pages. Discard what was read and start again."""


class RateLimitedError(PricetapeError):
    """429, after all retries."""


class ServiceError(PricetapeError):
    """5xx, after all retries."""


class NoAnswerError(Exception):
    """No answer came, after all retries: ``__cause__`` says why."""


_BY_STATUS = {
    401: AuthenticationError,
    403: AuthenticationError,
    404: NotFoundError,
    409: ConflictError,
    429: RateLimitedError,
}


def error_class(status: int, code: str) -> type:
    """Returns the class of an error: by its code where that is known, else by its status."""
    if code == "alias_changed":
        return AliasChangedError
    if status >= 500:
        return ServiceError
    return _BY_STATUS.get(status, InvalidRequestError if status >= 400 else PricetapeError)
