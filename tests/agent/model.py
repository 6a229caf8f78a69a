"""A model on loopback for the real agent: keeps what reaches it, and answers with one word.

Usage: model.py FOLDER.  The port is written to FOLDER/port, each request to FOLDER/requests.jsonl; while
there is a FOLDER/hold, no answer is given.
"""

from __future__ import annotations

import json
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

FOLDER = Path(sys.argv[1])
USAGE = {"input_tokens": 1, "output_tokens": 1}
EMPTY = {
    "id": "msg_1", "type": "message", "role": "assistant", "model": "none", "content": [],
    "stop_reason": None, "stop_sequence": None, "usage": USAGE,
}  # fmt: skip
EVENTS = [
    {"type": "message_start", "message": EMPTY},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {
        "type": "content_block_delta",
        "index": 0,
        "delta": {"type": "text_delta", "text": "Understood."},
    },
    {"type": "content_block_stop", "index": 0},
    {
        "type": "message_delta",
        "delta": {"stop_reason": "end_turn", "stop_sequence": None},
        "usage": USAGE,
    },
    {"type": "message_stop"},
]


class Model(BaseHTTPRequestHandler):
    """Answers every message alike."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        with (FOLDER / "requests.jsonl").open("ab") as file:
            file.write(json.dumps({"path": self.path, "body": body.decode()}).encode() + b"\n")
        while (FOLDER / "hold").exists():
            time.sleep(0.05)
        stream = b'"stream":true' in body.replace(b" ", b"")
        self.send_response(200)
        self.send_header("content-type", "text/event-stream" if stream else "application/json")
        self.end_headers()
        if stream:
            for event in EVENTS:
                self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
        else:
            text = [{"type": "text", "text": "Understood."}]
            self.wfile.write(
                json.dumps({**EMPTY, "content": text, "stop_reason": "end_turn"}).encode()
            )

    def log_message(self, *words: object) -> None:
        """Nothing: the requests are kept."""


server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
server.daemon_threads = True
(FOLDER / "port.new").write_text(str(server.server_port))
(FOLDER / "port.new").rename(FOLDER / "port")
server.serve_forever()
