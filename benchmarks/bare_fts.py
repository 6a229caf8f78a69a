"""The least that reads all files and makes them searchable: what a cold index is held against."""

import os
import sqlite3
import sys

root, database = sys.argv[1:3]
if os.path.exists(database):
    os.remove(database)
db = sqlite3.connect(database)
db.execute("CREATE VIRTUAL TABLE note USING fts5 (path, body)")
for folder, folders, names in os.walk(root):
    folders[:] = [name for name in folders if not name.startswith(".")]
    for name in names:
        if name.endswith(".org"):
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8", errors="replace") as file:
                db.execute("INSERT INTO note VALUES (?, ?)", (path, file.read()))
db.commit()
