"""A web server on loopback that does everything a bad one does."""

from __future__ import annotations

import contextlib
import gzip
import threading
import time
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ARTICLE = (
    "<html><head><title>How locks work</title></head><body><article><h1>How locks work</h1>"
    + "<p>An flock lives as long as its last descriptor, since children inherit it.</p>" * 4
    + '<p>#+begin_src sh :var x=(shell-command "x")</p>'
    + "<p>So bound every child that holds one, or all later writers wait for ever.</p></article></body></html>"
)
ALLOW = ("--allow-private", "127.0.0.1")


class Web:
    """Pages by path: (status, headers, body); a callable writes its own answer."""

    def __init__(self) -> None:
        self.pages = {"/": (200, {"Content-Type": "text/html; charset=utf-8"}, ARTICLE.encode())}
        self.asked = []
        web = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                web.asked.append((self.path, self.headers.get("Host"), dict(self.headers)))
                page = web.pages.get(self.path, (404, {}, b"no"))
                with contextlib.suppress(ConnectionError):
                    if callable(page):
                        page(self)
                        return
                    status, headers, body = page
                    self.send_response(status)
                    for key, value in headers.items():
                        self.send_header(key, value)
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def url(self, path="/"):
        return f"http://127.0.0.1:{self.server.server_port}{path}"

    def redirect(self, path, to, status=302):
        self.pages[path] = (status, {"Location": to}, b"")

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def endless(handler):
    """A body without an end."""
    handler.send_response(200)
    handler.send_header("Content-Type", "text/plain")
    handler.end_headers()
    while True:
        handler.wfile.write(b"x" * 65536)


def dripping(handler):
    """A body of which one byte comes each fifth of a second."""
    handler.send_response(200)
    handler.end_headers()
    while True:
        handler.wfile.write(b"x")
        handler.wfile.flush()
        time.sleep(0.2)


def dripping_head(handler):
    """A head that never ends."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    while True:
        handler.wfile.write(b"X-A: b\r\n")
        handler.wfile.flush()
        time.sleep(0.2)


def bomb():
    """Few bytes that unpack to 200 MiB."""
    packer = zlib.compressobj(9, wbits=31)
    parts = [packer.compress(b"\0" * (1 << 20)) for _ in range(200)]
    return b"".join([*parts, packer.flush()])


def packed(text):
    """A page packed as it was asked for."""
    return (
        200,
        {"Content-Type": "text/html", "Content-Encoding": "gzip"},
        gzip.compress(text.encode()),
    )
