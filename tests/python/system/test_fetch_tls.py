"""TLS checks the name that was asked for, though the connection goes to an address."""

from __future__ import annotations

import os
import socket
import ssl
import subprocess

import pytest
import web as webs

from aikb.tools import http

NAME = "locks.example"


@pytest.fixture
def secure(tmp_path, monkeypatch):
    """A server with a certificate for one name, from an authority that is trusted here."""
    key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}",
         "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", key, "-out", certificate],
        check=True, capture_output=True,
    )  # fmt: skip
    server = webs.Web()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.server.socket = context.wrap_socket(server.server.socket, server_side=True)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    real = socket.getaddrinfo
    monkeypatch.setattr(
        socket,
        "getaddrinfo",
        lambda host, *a, **k: real("127.0.0.1" if host.endswith(".example") else host, *a, **k),
    )
    yield server
    server.close()


def get(server, host):
    """The page of a host that is on loopback."""
    url = server.url().replace("http:", "https:").replace("127.0.0.1", host)
    return http._follow(url, frozenset({host}), 1 << 20)


def test_the_right_name_is_answered_and_another_is_not(secure):
    import httpx

    assert get(secure, NAME).data == webs.ARTICLE.encode()
    with pytest.raises(httpx.ConnectError, match="mismatch"):
        get(secure, "other.example")
    os.environ.pop("SSL_CERT_FILE")
    with pytest.raises(httpx.ConnectError, match="certificate verify failed"):
        get(secure, NAME)
