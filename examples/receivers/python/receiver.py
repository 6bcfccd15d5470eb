# A receiver on the standard library's server. pip install standardwebhooks
# WEBHOOK_SECRET=whsec_… PORT=3000 python3 receiver.py
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock

from standardwebhooks import Webhook, WebhookVerificationError

# During a rotation, put both secrets here, separated by a space, and remove the old one a day later.
VERIFIERS = [Webhook(secret) for secret in os.environ["WEBHOOK_SECRET"].split(" ")]
# A table with a unique key on the id, in a real service: this set forgets everything at a restart.
processed = set()
lock = Lock()


def verify(body: bytes, headers: dict) -> dict:
    for webhook in VERIFIERS[:-1]:
        try:
            return webhook.verify(body, headers)
        except WebhookVerificationError:
            pass
    return VERIFIERS[-1].verify(body, headers)


def accept(event: dict) -> None:
    """Put the event on your own queue here and return: the answer must be sent within 5 seconds."""
    print(event["type"], event["id"], flush=True)


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        # The signature covers the bytes as they came: read them before anything parses them.
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        try:
            event = verify(body, dict(self.headers))
        except (WebhookVerificationError, ValueError):  # ValueError: the signature header is malformed
            return self.answer(400)
        with lock:
            if event["id"] not in processed:
                accept(event)
                processed.add(event["id"])  # only now: had it failed, the retry has to find the id unknown
        self.answer(204)

    def answer(self, status: int):
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Receiver).serve_forever()
