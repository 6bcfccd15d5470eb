"""Writes recorded lists as folders of dated answers, from mirrors of the public repositories that keep them.

python3 bench/default/record.py OUT --from DAY --to DAY SOURCE=PATH ...

Each SOURCE becomes OUT/SOURCE with a manifest.json of {file, committedAt}, and a covered.json of the periods in which it
was recorded. PATH is a git repository, or a folder that has such a manifest already; several paths of one source are
joined by commas. What is not there is skipped with a message.
"""

import argparse
import gzip
import json
import posixpath
import shutil
import subprocess
import sys
import tomllib
from datetime import datetime, timedelta, timezone
from pathlib import Path

# The files that repositories keep each list in. The first that a commit has is taken.
FILES = {
    "genai-prices": ["prices/data.json"],
    "litellm": ["model_prices_and_context_window.json"],
    "openrouter-models": ["openrouter-models.json", "data/current/openrouter.json"],
    "models-dev": ["providers"],
    "huggingface-router": ["internal/providers/configs/huggingface.json"],
    "anthropic-pricing": [
        "docs/docs__en__about-claude__pricing.md",
        "docs/en__docs__about-claude__pricing.md",
        "content/claude-docs/platform.claude.com/docs/en/about-claude/pricing.md",
    ],
}

# Sources that answer with a page, not with JSON.
PAGES = {"anthropic-pricing"}


def git(repository, *arguments):
    return subprocess.run(["git", "-C", repository, *arguments], capture_output=True, check=True).stdout


def commits(repository, paths):
    """The commits of the main line that touch these paths, oldest first, as (instant, hash)."""
    lines = git(repository, "log", "--first-parent", "--format=%ct %H", "--", *paths).decode().split("\n")
    found = [line.split() for line in lines if line]
    return sorted((datetime.fromtimestamp(int(at), timezone.utc), commit) for at, commit in found)


def chosen(history, start, end, hours):
    """The last one before the start, and the last one of each slot of some hours until the end."""
    before = [one for one in history if one[0] < start][-1:]
    slots = {}
    for at, commit in history:
        if start <= at <= end:
            slots[int(at.timestamp() // (hours * 3600))] = (at, commit)
    return before + [slots[slot] for slot in sorted(slots)]


class Blobs:
    """Reads objects through one `git cat-file`."""

    def __init__(self, repository):
        self.process = subprocess.Popen(
            ["git", "-C", repository, "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def read(self, name):
        self.process.stdin.write(f"{name}\n".encode())
        self.process.stdin.flush()
        header = self.process.stdout.readline().split()
        if header[-1] == b"missing":
            return None
        data = self.process.stdout.read(int(header[2]))
        self.process.stdout.read(1)
        return data


def models_dev(repository, blobs, commit, parsed):
    """Puts a models.dev commit together as its api.json: providers with their models."""
    tree = {}
    for line in git(repository, "ls-tree", "-r", "-z", commit, "providers", "models").decode().split("\0"):
        if line:
            meta, path = line.split("\t", 1)
            tree[path] = meta.split()

    def toml(path):
        mode, _, sha = tree[path]
        if mode == "120000":
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), blobs.read(sha).decode()))
            return toml(target) if target in tree else None
        if sha not in parsed:
            parsed[sha] = tomllib.loads(blobs.read(sha).decode())
        return parsed[sha]

    providers = {}
    for path in tree:
        parts = path.split("/")
        if parts[0] == "providers" and parts[2:] == ["provider.toml"]:
            providers[parts[1]] = {"id": parts[1], **toml(path), "models": {}}
    for path in tree:
        parts = path.split("/")
        if parts[0] != "providers" or len(parts) < 4 or parts[2] != "models" or not path.endswith(".toml"):
            continue
        model = toml(path)
        if model is None or parts[1] not in providers:
            continue
        base = f"models/{model.get('base_model')}.toml"
        whole = {**(toml(base) if base in tree else {}), **model}
        name = "/".join(parts[3:])[: -len(".toml")]
        providers[parts[1]]["models"][name] = {"id": name, **whole}
    return json.dumps(providers, default=str).encode()


def huggingface(value):
    """The router's offers as another program wrote them down, put together again as the router's answer."""
    models = {}
    for entry in value["models"]:
        name, _, seller = entry["id"].rpartition(":")
        pricing = {"input": entry["cost_per_1m_in"], "output": entry["cost_per_1m_out"]}
        # The program writes zero where the router names no price.
        offer = {"provider": seller, "status": "live", **({"pricing": pricing} if any(pricing.values()) else {})}
        models.setdefault(name, {"id": name, "providers": []})["providers"].append(offer)
    return json.dumps({"data": list(models.values())}).encode()


def answer(source, data):
    """A file of a repository as the address answers."""
    if source in PAGES:
        return data
    value = json.loads(data)
    if source == "huggingface-router":
        return huggingface(value)
    if source == "openrouter-models":
        return json.dumps({"data": value if isinstance(value, list) else value["data"]}).encode()
    if source == "litellm" and "last_updated" in value:
        return json.dumps({key: entry for key, entry in value.items() if key != "last_updated"}).encode()
    return data


def record(source, path, out, start, end, hours):
    """The answers that a repository has of a source, and from when to when it was kept."""
    repository, blobs, parsed = str(path), Blobs(str(path)), {}
    manifest, last = [], None
    for at, commit in chosen(commits(repository, FILES[source]), start, end, hours):
        if source == "models-dev":
            data = models_dev(repository, blobs, commit, parsed)
        else:
            data = next((raw for name in FILES[source] if (raw := blobs.read(f"{commit}:{name}"))), None)
            try:
                data = data and answer(source, data)
            except ValueError:
                data = None
        if data is None or data == last:
            continue
        last = data
        name = f"{commit[:10]}.gz"
        (out / name).write_bytes(gzip.compress(data, mtime=0))
        manifest.append({"file": name, "committedAt": at.isoformat()})
    history = commits(repository, ["."])
    return manifest, (manifest[0]["committedAt"] if manifest else None, history[-1][0].isoformat())


def copy(path, out, start, end):
    """The answers of a folder that has a manifest."""
    listed = json.loads((path / "manifest.json").read_text())
    instants = [(datetime.fromisoformat(entry["committedAt"]), entry) for entry in listed]
    before = [entry for at, entry in instants if at < start][-1:]
    kept = before + [entry for at, entry in instants if start <= at <= end]
    for entry in kept:
        shutil.copyfile(path / entry["file"], out / entry["file"])
    return kept, (listed[0]["committedAt"], listed[-1]["committedAt"])


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("out", type=Path)
    arguments.add_argument("--from", dest="start", required=True)
    arguments.add_argument("--to", dest="end", required=True)
    arguments.add_argument("--hours", type=int, default=6, help="keep one answer of this many hours; 6 if not given")
    arguments.add_argument("sources", nargs="+", metavar="SOURCE=PATH")
    given = arguments.parse_args()
    start = datetime.fromisoformat(given.start).replace(tzinfo=timezone.utc)
    end = datetime.fromisoformat(given.end).replace(tzinfo=timezone.utc) + timedelta(days=1)
    for source, paths in (one.split("=", 1) for one in given.sources):
        write(source, [Path(path) for path in paths.split(",")], given.out / source, start, end, given.hours)


def write(source, paths, out, start, end, hours):
    missing = [path for path in paths if not path.is_dir()]
    if source not in FILES or missing:
        print(f"{source} is skipped: {missing[0]} is not there" if missing else f"{source} is not known here")
        return
    out.mkdir(parents=True, exist_ok=True)
    manifest, covered = [], []
    for path in paths:
        is_folder = (path / "manifest.json").exists()
        answers, period = copy(path, out, start, end) if is_folder else record(source, path, out, start, end, hours)
        manifest += answers
        if answers:
            covered.append(period)
    manifest.sort(key=lambda one: datetime.fromisoformat(one["committedAt"]))
    (out / "manifest.json").write_text(json.dumps(manifest, indent=1))
    (out / "covered.json").write_text(json.dumps(covered))
    print(f"{source}: {len(manifest)} answers, {'; '.join(' to '.join(period) for period in covered) or 'none'}")


if __name__ == "__main__":
    sys.exit(main())
