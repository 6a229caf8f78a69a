"""``--fetch`` against a server that is slow, huge, lying, redirecting, or gone."""

from __future__ import annotations

import hashlib
import os
import socket
import time

import pytest
import web as webs
from test_capture import record, taken
from web import ALLOW, ARTICLE

from aikb.errors import FetchError
from aikb.tools import http


@pytest.fixture
def web():
    """The server."""
    server = webs.Web()
    yield server
    server.close()


def refused(world, url, *words):
    """What is said of a page that is not captured; nothing was written."""
    return world.refused("capture", url, "--fetch", *words).err


def test_a_page_is_kept_with_its_text_and_the_original_beside(world, web):
    path = taken(world, web.url(), "--fetch", *ALLOW)
    assert path == "raw/how-locks-work.org"
    found = record(world, path)
    assert found.title == "How locks work"
    assert "since children inherit it" in found.text
    assert "<p>" not in found.text
    properties = found.properties
    assert properties["URL"] == web.url()
    assert properties["CONTENT_TYPE"] == "text/html; charset=utf-8"
    assert properties["SHA256"] == hashlib.sha256(ARTICLE.encode()).hexdigest()
    assert properties["ORIGINAL"] == "raw/how-locks-work.html"
    assert (world.store / properties["ORIGINAL"]).read_bytes() == ARTICLE.encode()
    assert taken(world, web.url(), "--fetch", *ALLOW) == path
    _, host, headers = web.asked[0]
    assert host == web.url().split("/")[2]
    assert "Cookie" not in headers
    world.assert_sound()


def test_a_packed_page_is_unpacked(world, web):
    web.pages["/"] = webs.packed(ARTICLE)
    found = record(world, taken(world, web.url(), "--fetch", *ALLOW))
    assert (world.store / found.properties["ORIGINAL"]).read_bytes() == ARTICLE.encode()


def test_further_excerpts_of_the_same_page_share_the_original(world, web):
    first = record(world, taken(world, web.url(), "--fetch", *ALLOW))
    path = taken(
        world, web.url(), "--fetch", *ALLOW, "--excerpt-file", "-", stdin="bound every child"
    )
    second = record(world, path)
    assert second.properties["ORIGINAL"] == first.properties["ORIGINAL"]
    assert second.excerpts == ("bound every child",)


def test_a_page_that_emacs_would_obey_stands_in_the_record(world, web):
    page = "<!-- -*- eval: (x) -*- -->\n" + ARTICLE
    web.pages["/"] = (200, {"Content-Type": "text/html"}, page.encode())
    found = record(world, taken(world, web.url(), "--fetch", *ALLOW))
    assert found.original == page.encode()
    assert len(list((world.store / "raw").iterdir())) == 1


def test_loopback_is_refused_unless_it_is_named(world, web):
    assert "private or loopback" in refused(world, web.url())
    assert "private or loopback" in refused(world, web.url(), "--allow-private", "example.org")
    for host in ("localhost", "127.1", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "0.0.0.0"):
        url = web.url().replace("127.0.0.1", host)
        assert "cannot be fetched" in refused(world, url), host
    assert web.asked == []


@pytest.mark.parametrize(
    "to",
    ["http://127.0.0.2:{port}/", "http://localhost:{port}/", "http://169.254.169.254/latest/",
     "http://[::1]:{port}/", "http://10.1.2.3/", "file:///etc/passwd", "ftp://127.0.0.1/",
     "http://user:pw@127.0.0.1:{port}/", "javascript:x"],
)  # fmt: skip
def test_no_redirect_leads_to_what_may_not_be_fetched(world, web, to):
    web.redirect("/go", to.format(port=web.server.server_port))
    assert "cannot be fetched" in refused(world, web.url("/go"), *ALLOW)
    assert [path for path, *_ in web.asked] == ["/go"]


def test_metadata_is_refused_even_where_it_is_named(world):
    err = refused(world, "http://169.254.169.254/", "--allow-private", "169.254.169.254")
    assert "metadata" in err


def test_redirects_are_followed_and_bounded(world, web):
    web.redirect("/go", "/")
    assert record(world, taken(world, web.url("/go"), "--fetch", *ALLOW)).properties[
        "URL"
    ] == web.url("/go")
    web.redirect("/round", "/round")
    assert "more than 5 redirects" in refused(world, web.url("/round"), *ALLOW)


def test_a_name_is_connected_to_at_the_address_that_was_judged(monkeypatch):
    """A second look-up of the name could give another address: there is none."""
    asked = []
    server = webs.Web()
    real = socket.getaddrinfo

    def look_up(host, port, *further, **named):
        asked.append(host)
        return real("127.0.0.1" if host == "rebind.example" else host, port, *further, **named)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    url = server.url().replace("127.0.0.1", "rebind.example")
    try:
        page = http._follow(url, frozenset({"rebind.example"}), 1 << 20)
    finally:
        server.close()
    assert page.data == ARTICLE.encode()
    assert asked.count("rebind.example") == 1
    assert set(asked) <= {"rebind.example", "127.0.0.1"}
    assert server.asked[0][1].startswith("rebind.example:")


def test_one_private_address_among_public_ones_is_enough_to_refuse(monkeypatch):
    addresses = [(2, 1, 6, "", (ip, 80)) for ip in ("93.184.216.34", "127.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: addresses)
    with pytest.raises(http._RefusedError, match=r"127\.0\.0\.1"):
        http._follow("http://both.example/", frozenset(), 1 << 20)


@pytest.mark.parametrize("page", [webs.dripping, webs.dripping_head])
def test_a_server_that_never_ends_is_left_in_time(web, page):
    web.pages["/"] = page
    begun = time.monotonic()
    with pytest.raises(FetchError, match="no end within"):
        http.fetch(web.url(), os.environ, private_hosts=["127.0.0.1"], seconds=3)
    assert time.monotonic() - begun < 6


def test_a_body_without_end_and_a_bomb_are_bounded(world, web):
    web.pages["/endless"] = webs.endless
    web.pages["/bomb"] = (200, {"Content-Encoding": "gzip"}, webs.bomb())
    for path in ("/endless", "/bomb"):
        assert "more than 20 MiB" in refused(world, web.url(path), *ALLOW)


@pytest.mark.parametrize(
    ("headers", "body", "words"),
    [
        ({"Content-Encoding": "br"}, b"x", "packed by 'br'"),
        ({"Content-Encoding": "gzip"}, b"no gzip", "damaged"),
        ({"Content-Encoding": "gzip"}, webs.packed(ARTICLE)[2][:-9], "end too early"),
    ],
)
def test_broken_packing(world, web, headers, body, words):
    web.pages["/"] = (200, headers, body)
    assert words in refused(world, web.url(), *ALLOW)


def test_what_the_server_refuses_or_where_none_is(world, web):
    assert "answered 404" in refused(world, web.url("/nowhere"), *ALLOW)
    web.close()
    assert "refused" in refused(world, web.url(), *ALLOW)


def test_a_wrong_charset_loses_no_letter(world, web):
    text = ARTICLE.replace("An flock", "Größer: an flock")
    web.pages["/"] = (200, {"Content-Type": "text/html; charset=utf-16"}, text.encode())
    assert "Größer" in record(world, taken(world, web.url(), "--fetch", *ALLOW)).text


def test_a_binary_page_is_kept_without_text(world, web):
    data = b"%PDF-1.4\x00\xff\xfe" * 50
    web.pages["/doc"] = (200, {"Content-Type": "application/pdf"}, data)
    ran = world.ok("capture", web.url("/doc"), "--fetch", *ALLOW)
    assert "its text is not: it is binary" in ran.err
    found = record(world, ran.out.strip())
    assert found.text == ""
    assert found.properties["ORIGINAL"].endswith(".pdf")
    assert (world.store / found.properties["ORIGINAL"]).read_bytes() == data


def test_new_fetches_and_keeps_in_one_commit(world, web):
    head = world.head()
    ran = world.ok(
        "new", "--type", "reference", "--title", "T", "--body-file", "-", "--json",
        "--capture", web.url(), "--fetch", *ALLOW, stdin="Claim.",
    )  # fmt: skip
    assert ran.json["source"] == "raw/how-locks-work.org"
    assert world.git("rev-list", "--count", f"{head}..HEAD").strip() == "1"
    world.assert_sound()
