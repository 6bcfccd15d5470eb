"""Makes a folder of recorded pages and the texts that people declared to be their documents.

python3 bench/extraction/pairs.py TARGET NAME=VERSIONS,SNAPSHOTS ...

VERSIONS and SNAPSHOTS are clones of a collection of Open Terms Archive (its `-versions` and its `-snapshots` repository).
The newest text of each document is taken with the page that its commit names.
"""
import json
import os
import re
import subprocess
import sys


def git(repo, *arguments):
    quoted = ['git', '-C', repo, '-c', 'core.quotepath=off', *arguments]
    return subprocess.run(quoted, capture_output=True, check=False).stdout


def text(repo, *arguments):
    return git(repo, *arguments).decode('utf-8', 'replace')


def newest(repo):
    """The newest commit of each text, with its message."""
    seen = {}
    for part in text(repo, 'log', '--name-only', '--format=%x01%H%x02%B%x03').split('\x01')[1:]:
        head, _, files = part.partition('\x03')
        commit, _, message = head.partition('\x02')
        for file in files.strip().split('\n'):
            if file.endswith('.md') and '/' in file:
                seen.setdefault(file, (commit, message))
    return seen


def main(target, collections):
    os.makedirs(target, exist_ok=True)
    manifest = []
    for collection in collections:
        name, _, repos = collection.partition('=')
        versions, snapshots = repos.split(',')
        for file, (commit, message) in newest(versions).items():
            # A text joined from several pages has no one page to be read from.
            commits = re.findall(r'commit/([0-9a-f]{40})', message)
            if len(commits) != 1:
                continue
            reference = git(versions, 'show', f'{commit}:{file}')
            pages = text(snapshots, 'show', '--format=', '--name-only', commits[0]).strip().split('\n')
            page = git(snapshots, 'show', f'{commits[0]}:{pages[0]}')
            if not reference or not page:
                continue
            number = f'{len(manifest):04d}'
            kind = pages[0].rsplit('.', 1)[-1]
            with open(f'{target}/{number}.{kind}', 'wb') as out:
                out.write(page)
            with open(f'{target}/{number}.md', 'wb') as out:
                out.write(reference)
            manifest.append({'id': number, 'collection': name, 'document': file[:-3], 'kind': kind})
        print(name, len(manifest))
    with open(f'{target}/manifest.json', 'w', encoding='utf-8') as out:
        json.dump(manifest, out, indent=1)


main(sys.argv[1], sys.argv[2:])
