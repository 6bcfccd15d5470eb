"""Verifies captured requests with the stock Python libraries. Reads captures as JSON, writes one result per check."""

import base64
import json
import sys

import standardwebhooks
import svix

LIBRARIES = {
    "PyPI standardwebhooks": (standardwebhooks.Webhook, standardwebhooks.WebhookVerificationError),
    "PyPI svix": (svix.Webhook, svix.WebhookVerificationError),
}


def verdict(library, secret, body, headers):
    webhook, refused = LIBRARIES[library]
    try:
        webhook(secret).verify(body, headers)
        return "verified"
    except refused:
        return "refused"
    except Exception as error:  # a library that breaks on what we send is a finding, not a refusal
        return f"{type(error).__name__}: {error}"


with open(sys.argv[1], encoding="utf-8") as file:
    checks = json.load(file)
results = []
for check in checks:
    body = base64.b64decode(check["body"])
    for library in LIBRARIES:
        if check["family"] == "svix" and library != "PyPI svix":
            continue
        results.append({"library": library, "check": check["name"], "verdict": verdict(library, check["secret"], body, check["headers"])})
json.dump(results, sys.stdout)
