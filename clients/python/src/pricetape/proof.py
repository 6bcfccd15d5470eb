"""Proof that rows are as they were published, and that nothing was rewritten since.

Signatures need the package ``cryptography``: ``pip install 'pricetape[proof]'``.
"""

import base64
import binascii
import hashlib
import json
import re
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

from .types import ConsistencyProof, PageProof, PriceRow, ProvenRow, RowProof

#: Verifiers of the log that you trust. A checkpoint must be signed by one of them.
Keys = Union[str, Sequence[str]]

_ED25519 = 1
_HASH_BYTES = 32
_ID_BYTES = 4
_SIGNATURE_BYTES = 64
_BODY = re.compile(r"(\S[^\n]*)\n(0|[1-9][0-9]{0,15})\n([A-Za-z0-9+/]{43}=)\n")
_SIGNATURE = re.compile(r"— (\S+) ([A-Za-z0-9+/]+={0,2})")
_VERIFIER = re.compile(r"([^+\s]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})")
_SAME_AS_SERVED = ("provider", "source", "resource", "dimension", "unit", "currency", "price", "recordedAt")
_PUBLISHING = ("approved", "auto_approved")


class ProofError(Exception):
    """A proof that does not hold. The message names what does not fit.

    :ivar fault: ``unknown_key``, ``bad_signature``, ``unreadable``, ``edited_row``, ``other_row``, ``missing_row``,
        ``not_in_log`` or ``rewritten``
    :ivar field: the field of the row that was edited
    """

    def __init__(
        self, fault: str, message: str, *, content_hash: Optional[str] = None, field: Optional[str] = None
    ) -> None:
        super().__init__(message)
        self.fault = fault
        self.content_hash = content_hash
        self.field = field


class Checkpoint(NamedTuple):
    """A signed statement of how large a log is, and of the root of its tree."""

    origin: str
    size: int
    root: bytes
    text: str


class Proven(NamedTuple):
    """What is proven of a row: the checkpoint whose log holds it, and when it was published last."""

    checkpoint: Checkpoint
    published_at: str


class ProvenPage(NamedTuple):
    """What is proven of a page; ``published_at`` is by ``contentHash``."""

    checkpoint: Checkpoint
    published_at: Dict[str, str]


def verify_row(row: PriceRow, proof: RowProof, keys: Keys) -> Proven:
    """Checks that a row is as it was published, and that the log holds it. Raises ProofError.

    Covered are the fields that ``contentHash`` covers: not ``approvalStatus``, ``renamedTo``, ``continues`` and
    confirmations, which are of an instant.
    """
    checkpoint = open_checkpoint(proof["checkpoint"], keys)
    published_at = _check_row(row, proof)
    leaf = _leaf_hash(proof["leaf"])
    if _root_of_inclusion(leaf, proof["leafIndex"], checkpoint.size, _hashes_of(proof)) == checkpoint.root:
        return Proven(checkpoint, published_at)
    content_hash = row["contentHash"]
    message = f"Row {content_hash} is not in the log of this checkpoint."
    raise ProofError("not_in_log", message, content_hash=content_hash)


def verify_consistency(older: str, proof: ConsistencyProof, keys: Keys) -> Checkpoint:
    """Checks that nothing in the log was changed or removed since a checkpoint that you kept. Raises ProofError.

    :param older: the text of the checkpoint that you kept
    :return: the newer one: keep it
    """
    kept = open_checkpoint(older, keys)
    newer = open_checkpoint(proof["checkpoint"], keys)
    if _is_consistent(kept, newer, _hashes_of(proof)):
        return newer
    sizes = f"the checkpoint of {newer.size} leaves does not contain the one of {kept.size}"
    raise ProofError("rewritten", f"The log of {newer.origin} was rewritten, or these are two logs: {sizes}.")


def verify_page(rows: Sequence[PriceRow], proof: PageProof, keys: Keys) -> ProvenPage:
    """Checks all rows of a page as ``verify_row`` checks one. Raises ProofError, which names the first that does not fit."""
    checkpoint = open_checkpoint(proof["checkpoint"], keys)
    proven = proof["rows"]
    if len(rows) != len(proven):
        raise _lacking(rows, proven)
    published_at = {row["contentHash"]: _check_row(row, one) for row, one in zip(rows, proven)}
    leaves = sorted((one["leafIndex"], _leaf_hash(one["leaf"])) for one in proven)
    if _root_of_leaves(leaves, checkpoint.size, _hashes_of(proof)) == checkpoint.root:
        return ProvenPage(checkpoint, published_at)
    raise ProofError("not_in_log", "Rows of this page are not in the log of this checkpoint.")


def open_checkpoint(text: str, keys: Keys) -> Checkpoint:
    """Returns a checkpoint that one of these keys signed, and whose origin is the key's. Raises ProofError.

    :param keys: verifiers that you trust: get them on another way than the checkpoint
    """
    body, end, rest = text.partition("\n\n")
    body += "\n"
    found = _BODY.fullmatch(body) if end else None
    if found is None:
        raise ProofError("unreadable", "This is not a checkpoint: it has no origin, size and root before its signatures.")
    origin, size, root = found[1], int(found[2]), base64.b64decode(found[3])
    trusted = [_read_key(key) for key in ([keys] if isinstance(keys, str) else keys)]
    forged = False
    for line in rest.split("\n"):
        signed = _SIGNATURE.fullmatch(line)
        value = _decoded(signed[2]) if signed else b""
        # Signatures of other kinds, such as those of witnesses, have other lengths.
        if signed is None or signed[1] != origin or len(value) != _ID_BYTES + _SIGNATURE_BYTES:
            continue
        for name, key_id, public_key in trusted:
            if name != origin or key_id != value[:_ID_BYTES]:
                continue
            if _is_signed(public_key, value[_ID_BYTES:], body.encode()):
                return Checkpoint(origin, size, root, text)
            forged = True
    if forged:
        raise ProofError("bad_signature", f"The checkpoint of {origin} is not what its key signed.")
    names = ", ".join(name for name, _, _ in trusted)
    raise ProofError("unknown_key", f"No key of {names} signed this checkpoint of {origin}.")


def _read_key(verifier: str) -> Tuple[str, bytes, bytes]:
    found = _VERIFIER.fullmatch(verifier)
    key = _decoded(found[3]) if found else b""
    if found is not None and len(key) == 1 + _HASH_BYTES and key[0] == _ED25519:
        key_id = hashlib.sha256(found[1].encode() + b"\n" + key).digest()[:_ID_BYTES]
        if key_id.hex() == found[2]:
            return found[1], key_id, key[1:]
    raise ProofError("unreadable", f"{verifier!r} is not a key of a log: /v1/log/keys lists them.")


def _is_signed(public_key: bytes, signature: bytes, body: bytes) -> bool:
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError as error:
        raise ImportError("Signatures need the package cryptography: pip install 'pricetape[proof]'") from error
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, body)
    except (InvalidSignature, ValueError):
        return False
    return True


def _check_row(row: PriceRow, proven: ProvenRow) -> str:
    """Checks that a served row is the one that a leaf published. Returns when it was."""
    content_hash = row["contentHash"]
    facts, leaf = _read_object(proven["row"]), _read_object(proven["leaf"])

    def refuse(fault: str, message: str, field: Optional[str] = None) -> ProofError:
        return ProofError(fault, message, content_hash=content_hash, field=field)

    if leaf.get("contentHash") != content_hash:
        raise refuse("other_row", f"The proof is of row {leaf.get('contentHash')}, not of {content_hash}.")
    if hashlib.sha256(proven["row"].encode()).hexdigest() != content_hash:
        raise refuse("edited_row", f"The facts in the proof are not those of row {content_hash}.")
    if leaf.get("kind") != "row" or leaf.get("status") not in _PUBLISHING:
        raise refuse("other_row", f"The leaf of row {content_hash} did not publish it.")
    served: Dict[str, Any] = {field: row.get(field) for field in _SAME_AS_SERVED}
    served["pricingTier"] = _canonical_json(row["pricingTier"])
    for field, value in served.items():
        if value != facts.get(field):
            published = f"its {field} is {json.dumps(value)}, and {json.dumps(facts.get(field))} was published"
            raise refuse("edited_row", f"Row {content_hash} was edited: {published}.", field)
    return str(leaf.get("at"))


def _lacking(rows: Sequence[PriceRow], proven: Sequence[ProvenRow]) -> ProofError:
    """Says which row the page or the proof has and the other has not."""
    in_page = {row["contentHash"]: None for row in rows}
    in_proof = {str(_read_object(one["leaf"]).get("contentHash")): None for one in proven}
    for content_hash in in_proof:
        if content_hash not in in_page:
            message = f"The page lacks row {content_hash}, which the proof has."
            return ProofError("missing_row", message, content_hash=content_hash)
    added = next((content_hash for content_hash in in_page if content_hash not in in_proof), None)
    return ProofError("missing_row", f"The proof lacks row {added}, which the page has.", content_hash=added)


def _read_object(text: str) -> Dict[str, Any]:
    """Reads canonical JSON: one text for one content, so that nothing can be read from it in two ways."""
    try:
        read = json.loads(text)
    except ValueError:
        read = None
    if isinstance(read, dict) and _canonical_json(read) == text:
        return read
    raise ProofError("unreadable", f"The proof holds what is not canonical JSON: {text[:80]}")


def _canonical_json(value: Dict[str, Any]) -> str:
    # Sorted as JavaScript sorts texts.
    names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
    return json.dumps({name: value[name] for name in names}, ensure_ascii=False, separators=(",", ":"))


def _hashes_of(proof: Any) -> List[bytes]:
    hashes = [_decoded(text) for text in proof["hashes"]]
    if all(len(one) == _HASH_BYTES for one in hashes):
        return hashes
    raise ProofError("unreadable", "The proof holds what is not a hash.")


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""


def _leaf_hash(leaf: str) -> bytes:
    return hashlib.sha256(b"\0" + leaf.encode()).digest()


def _node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\1" + left + right).digest()


def _root_of_inclusion(leaf: bytes, index: int, size: int, hashes: Sequence[bytes]) -> Optional[bytes]:
    """Returns the root that an inclusion proof leads to (RFC 9162, 2.1.3.2)."""
    if not isinstance(index, int) or not 0 <= index < size:
        return None
    node, last, root = index, size - 1, leaf
    for one in hashes:
        if last == 0:
            return None
        if node % 2 == 1 or node == last:
            root = _node_hash(one, root)
            while node % 2 == 0 and node != 0:
                node, last = node >> 1, last >> 1
        else:
            root = _node_hash(root, one)
        node, last = node >> 1, last >> 1
    return root if last == 0 else None


def _is_consistent(older: Checkpoint, newer: Checkpoint, hashes: Sequence[bytes]) -> bool:
    """Whether a consistency proof leads from one root to the other (RFC 9162, 2.1.4.2)."""
    if older.size > newer.size:
        return False
    if older.size == newer.size:
        return not hashes and older.root == newer.root
    if older.size == 0:
        # An empty tree is the beginning of every tree.
        return not hashes
    node, last = older.size - 1, newer.size - 1
    while node % 2 == 1:
        node, last = node >> 1, last >> 1
    rest = [older.root, *hashes] if node == 0 else list(hashes)
    if not rest:
        return False
    older_root = newer_root = rest[0]
    for one in rest[1:]:
        if last == 0:
            return False
        if node % 2 == 1 or node == last:
            older_root, newer_root = _node_hash(one, older_root), _node_hash(one, newer_root)
            while node % 2 == 0 and node != 0:
                node, last = node >> 1, last >> 1
        else:
            newer_root = _node_hash(newer_root, one)
        node, last = node >> 1, last >> 1
    return last == 0 and older_root == older.root and newer_root == newer.root


def _root_of_leaves(leaves: Sequence[Tuple[int, bytes]], size: int, hashes: Sequence[bytes]) -> Optional[bytes]:
    """Returns the root that a proof of many leaves leads to; None where it has too few hashes or too many.

    ``hashes`` are those of the largest subtrees that hold none of the leaves, from left to right.
    """
    following, beside = iter(leaves), iter(hashes)
    leaf = next(following, None)

    def root_of(start: int, end: int) -> Optional[bytes]:
        nonlocal leaf
        if leaf is None or leaf[0] >= end:
            return next(beside, None)
        if end - start == 1:
            found = leaf[1]
            leaf = next(following, None)
            return found
        middle = start + (1 << ((end - start - 1).bit_length() - 1))
        left = root_of(start, middle)
        right = root_of(middle, end)
        return None if left is None or right is None else _node_hash(left, right)

    root = root_of(0, size) if size > 0 else None
    return root if leaf is None and next(beside, None) is None else None
