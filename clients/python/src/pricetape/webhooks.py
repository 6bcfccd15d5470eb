"""Verifies webhooks: the Standard Webhooks scheme with the standard library."""

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Any, Dict, Mapping, Sequence, Union

#: Seconds by which a request's timestamp may differ from this clock.
TOLERANCE = 5 * 60
_PREFIX = "whsec_"
_MAX_DIGITS = 15


class WebhookVerificationError(Exception):
    """The request is not a delivery signed with this secret within the last five minutes: answer 400."""


def verify_webhook(
    body: Union[bytes, str], headers: Mapping[str, str], secrets: Union[str, Sequence[str]]
) -> Dict[str, Any]:
    """Returns the event in a signed request.

    :param body: the bytes as they came, before anything parsed them
    :param secrets: the webhook's secret; while it is being rotated, the old and the new one
    """
    raw = body.encode() if isinstance(body, str) else bytes(body)
    given = {name.lower(): value for name, value in headers.items()}
    try:
        event_id, timestamp = given["webhook-id"], given["webhook-timestamp"]
        signatures = given["webhook-signature"]
    except KeyError as error:
        raise WebhookVerificationError(f"The header {error.args[0]} is missing.") from None
    _check_time(timestamp)
    signed = b".".join([event_id.encode("utf-8", "replace"), timestamp.encode(), raw])
    for secret in [secrets] if isinstance(secrets, str) else secrets:
        expected = base64.b64encode(hmac.new(_key(secret), signed, hashlib.sha256).digest()).decode()
        for signature in signatures.split(" "):
            version, _, value = signature.partition(",")
            # Compared as bytes: compare_digest refuses texts beyond ASCII.
            if version == "v1" and hmac.compare_digest(value.encode("utf-8", "replace"), expected.encode()):
                return json.loads(raw)
    raise WebhookVerificationError("No signature matches.")


def _check_time(timestamp: str) -> None:
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= _MAX_DIGITS):
        raise WebhookVerificationError("The timestamp is not a number of seconds.")
    if abs(time.time() - int(timestamp)) > TOLERANCE:
        raise WebhookVerificationError("The timestamp is more than five minutes from this clock.")


def _key(secret: str) -> bytes:
    text = secret[len(_PREFIX) :] if secret.startswith(_PREFIX) else secret
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError("The secret is not whsec_ and base64: copy it again.") from error
