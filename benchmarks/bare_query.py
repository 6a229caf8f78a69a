"""Bare Python with one query on the finder's own table: what `find` is held against."""

import sqlite3
import sys

db = sqlite3.connect(sys.argv[1])
query = " ".join(f'"{word}"*' for word in sys.argv[2:])
for row in db.execute(
    "SELECT whole FROM note WHERE note MATCH ? ORDER BY bm25(note, 10.0, 6.0, 4.0, 2.0) LIMIT 20",
    (query,),
):
    print(row[0])
