"""Where answers are kept with their ETags."""

import threading
from collections import OrderedDict
from typing import NamedTuple, Optional, Protocol


class CachedAnswer(NamedTuple):
    etag: str
    body: bytes


class AnswerCache(Protocol):
    """Keeps answers by their address. Yours may be shared or on disk; forgetting an answer is always allowed."""

    def get(self, url: str) -> Optional[CachedAnswer]: ...

    def set(self, url: str, answer: CachedAnswer) -> None: ...


class MemoryCache:
    """Keeps the answers used last, up to a size in all."""

    def __init__(self, max_bytes: int = 32 * 1024 * 1024) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self._answers: "OrderedDict[str, CachedAnswer]" = OrderedDict()
        self._lock = threading.Lock()

    def get(self, url: str) -> Optional[CachedAnswer]:
        with self._lock:
            answer = self._answers.get(url)
            if answer is not None:
                self._answers.move_to_end(url)
            return answer

    def set(self, url: str, answer: CachedAnswer) -> None:
        with self._lock:
            known = self._answers.pop(url, None)
            if known is not None:
                self._bytes -= _size(url, known)
            if _size(url, answer) > self._max_bytes:
                return
            self._answers[url] = answer
            self._bytes += _size(url, answer)
            while self._bytes > self._max_bytes:
                oldest, dropped = self._answers.popitem(last=False)
                self._bytes -= _size(oldest, dropped)


def _size(url: str, answer: CachedAnswer) -> int:
    return len(url) + len(answer.etag) + len(answer.body)
