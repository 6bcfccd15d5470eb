"""Writes what trafilatura extracts from each page of a folder: python3 bench/extraction/trafilatura_texts.py FOLDER"""
import json
import sys

import trafilatura

folder = sys.argv[1]
for entry in json.load(open(f'{folder}/manifest.json', encoding='utf-8')):
    if entry['kind'] != 'html':
        continue
    page = open(f"{folder}/{entry['id']}.html", 'rb').read()
    text = trafilatura.extract(page, include_comments=False, include_tables=True, include_links=False, favor_recall=True)
    with open(f"{folder}/{entry['id']}.trafilatura.txt", 'w', encoding='utf-8') as out:
        out.write(text or '')
