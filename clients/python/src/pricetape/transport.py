"""HTTP with the standard library: one connection per thread, kept open."""

import base64
import gzip
import http.client
import threading
import urllib.request
import zlib
from typing import Mapping, NamedTuple, Optional, Protocol
from urllib.parse import unquote, urlsplit


class Answer(NamedTuple):
    status: int
    #: Names in lower case.
    headers: Mapping[str, str]
    body: bytes


class Transport(Protocol):
    """Sends one request and returns its answer: GET, or POST where there is a body.

    Raises OSError or HTTPException when none comes.
    """

    def __call__(
        self, url: str, headers: Mapping[str, str], timeout: float, body: Optional[bytes] = None
    ) -> Answer: ...


class StandardTransport:
    """Uses the proxies of the environment, as urllib does. Redirects are not followed: they would take the key along."""

    def __init__(self) -> None:
        self._connections = threading.local()

    def __call__(
        self, url: str, headers: Mapping[str, str], timeout: float, body: Optional[bytes] = None
    ) -> Answer:
        parts = urlsplit(url)
        origin = (parts.scheme, parts.netloc)
        path = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
        headers = {**headers, "accept-encoding": "gzip"}
        kept = getattr(self._connections, "kept", None)
        if kept is not None and kept[0] != origin:
            self.close()
        elif kept is not None:
            try:
                return self._exchange(kept[1], kept[2] + path, {**headers, **kept[3]}, timeout, body)
            except (ConnectionError, http.client.HTTPException):
                # A kept connection may have been closed meanwhile; a new one decides.
                self.close()
            except BaseException:
                self.close()
                raise
        connection, prefix, own = _connect(parts.scheme, parts.netloc, timeout)
        self._connections.kept = (origin, connection, prefix, own)
        try:
            return self._exchange(connection, prefix + path, {**headers, **own}, timeout, body)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Closes this thread's connection."""
        kept = getattr(self._connections, "kept", None)
        self._connections.kept = None
        if kept is not None:
            kept[1].close()

    @staticmethod
    def _exchange(
        connection: http.client.HTTPConnection,
        path: str,
        headers: Mapping[str, str],
        timeout: float,
        sent: Optional[bytes],
    ) -> Answer:
        connection.timeout = timeout
        if connection.sock is not None:
            connection.sock.settimeout(timeout)
        connection.request("GET" if sent is None else "POST", path, body=sent, headers=dict(headers))
        answer = connection.getresponse()
        body = answer.read()
        received = {name.lower(): value for name, value in answer.getheaders()}
        if received.get("content-encoding") == "gzip":
            try:
                body = gzip.decompress(body)
            except (EOFError, zlib.error) as error:
                raise OSError(f"the compressed answer is damaged: {error}") from error
        return Answer(answer.status, received, body)


def _connect(scheme: str, netloc: str, timeout: float):
    """Returns a connection, what to put before paths, and headers of its own."""
    secure = scheme == "https"
    make = http.client.HTTPSConnection if secure else http.client.HTTPConnection
    host = netloc.rpartition("@")[2]
    proxy = urllib.request.getproxies().get(scheme)
    if not proxy or urllib.request.proxy_bypass(host.rpartition(":")[0] or host):
        return make(host, timeout=timeout), "", {}
    through = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
    own = {}
    if through.username:
        user = f"{unquote(through.username)}:{unquote(through.password or '')}"
        own = {"proxy-authorization": f"Basic {base64.b64encode(user.encode()).decode()}"}
    connection = make(through.hostname or "", through.port, timeout=timeout)
    if not secure:
        return connection, f"http://{host}", own
    connection.set_tunnel(host, headers=own)
    return connection, "", {}
