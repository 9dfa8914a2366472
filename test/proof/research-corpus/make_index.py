"""Makes a full-text index of pages for searx: python3 make_index.py FILE < pages, one JSON object a line."""
import json
import sqlite3
import sys

index = sqlite3.connect(sys.argv[1])
index.execute(
    "CREATE VIRTUAL TABLE IF NOT EXISTS pages USING fts5(url UNINDEXED, title, body, tokenize = \"porter unicode61 tokenchars '_'\")"
)
pages = (json.loads(line) for line in sys.stdin)
index.executemany("INSERT INTO pages VALUES (?, ?, ?)", ((page["url"], page["title"], page["text"]) for page in pages))
index.commit()
