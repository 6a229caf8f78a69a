"""Bare Python with one query on the finder's own table: what `find` is held against."""

import sqlite3
import sys

db = sqlite3.connect(sys.argv[1])
query = " ".join(f'"{word}"*' for word in sys.argv[2:])
for row in db.execute(
    "SELECT file.notes FROM words JOIN file ON file.id = words.rowid / 1048576 WHERE words MATCH ?"
    " ORDER BY bm25(words, 10.0, 6.0, 4.0, 2.0) LIMIT 20",
    (query,),
):
    print(row[0])
