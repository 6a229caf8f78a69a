"""The door to the web: one page, bounded in size, time and redirects, from public addresses only.

The name is resolved once, every address it has is judged, and the connection goes to the very address
that was judged (TLS still checks the name), at each redirect anew.  No proxy, no cookie, no netrc.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from aikb.errors import FetchError
from aikb.tools.addresses import why_not
from aikb.tools.child import answer, call

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    import httpx

SECONDS = 30.0
LARGEST = 20 << 20
_REDIRECTS = 5
_CHUNK = 1 << 16
_QUIET = 10.0  # seconds without a byte
_AGENT = "ai-kb (+capture; fetches one page when asked)"


class Page(NamedTuple):
    """A page as it came: where it was found in the end, its content type, its bytes."""

    url: str
    content_type: str
    data: bytes


class _RefusedError(Exception):
    """Why a page is not fetched, inside the child."""

    def __init__(self, reason: str, status: int = 0) -> None:
        super().__init__(reason)
        self.status = status


def fetch(
    url: str,
    env: Mapping[str, str],
    *,
    private_hosts: Collection[str] = (),
    seconds: float = SECONDS,
    largest: int = LARGEST,
) -> Page:
    """Get a page; *private_hosts* are names whose addresses need not be public.

    Raises:
        FetchError: it cannot be had, or may not.
    """
    values = {"url": url, "private": list(private_hosts), "largest": largest}
    said = call("aikb.tools.http", values, b"", seconds=seconds, env=env)
    if said.failure:
        raise FetchError(url, said.failure)
    if reason := said.values.get("reason"):
        raise FetchError(url, reason, said.values.get("status", 0))
    return Page(said.values["url"], said.values["content_type"], said.data)


def serve() -> None:
    """The child's side."""
    answer(_work)


def _work(values: dict[str, Any], _: bytes) -> tuple[dict[str, Any], bytes]:
    import httpx

    try:
        page = _follow(values["url"], frozenset(values["private"]), values["largest"])
    except _RefusedError as error:
        return {"reason": str(error), "status": error.status}, b""
    except (httpx.HTTPError, httpx.InvalidURL, OSError, UnicodeError, MemoryError) as error:
        return {"reason": str(error) or type(error).__name__}, b""
    return {"url": page.url, "content_type": page.content_type}, page.data


def _follow(address: str, private: frozenset[str], largest: int) -> Page:
    import httpx

    url = httpx.URL(address)
    with _client() as client:
        for _ in range(_REDIRECTS + 1):
            response = _open(client, url, private)
            try:
                if response.is_redirect and "location" in response.headers:
                    url = url.join(response.headers["location"])
                    continue
                if response.status_code != 200:
                    raise _RefusedError(
                        f"the server answered {response.status_code}", response.status_code
                    )
                kind = " ".join(response.headers.get("content-type", "").split())[:100]
                return Page(str(url.copy_with(fragment=None)), kind, _body(response, largest))
            finally:
                response.close()
    raise _RefusedError(f"more than {_REDIRECTS} redirects")


def _client() -> httpx.Client:
    import ssl

    import certifi
    import httpx

    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    return httpx.Client(
        verify=context, trust_env=False, follow_redirects=False, timeout=_QUIET,
        headers={"User-Agent": _AGENT, "Accept-Encoding": "gzip", "Accept": "text/html, */*;q=0.8"},
    )  # fmt: skip


def _open(client: httpx.Client, url: httpx.URL, private: frozenset[str]) -> httpx.Response:
    """Ask for a page at an address that was judged."""
    import httpx

    if url.scheme not in {"http", "https"} or not url.host:
        raise _RefusedError(f"only http and https are fetched, not '{url.scheme}'")
    if url.userinfo:
        raise _RefusedError("its address has a user name or password in it")
    addresses = _resolve(url, private)
    for number, address in enumerate(addresses):
        request = client.build_request(
            "GET", url.copy_with(host=address, fragment=None), headers={"Host": url.netloc.decode()},
            extensions={"sni_hostname": url.host, "timeout": httpx.Timeout(_QUIET).as_dict()},
        )  # fmt: skip
        client.cookies.clear()
        try:
            return client.send(request, stream=True)
        except httpx.ConnectError:
            if number + 1 == len(addresses):
                raise
    raise _RefusedError("its name has no address")


def _resolve(url: httpx.URL, private: frozenset[str]) -> list[str]:
    import socket

    port = url.port or (443 if url.scheme == "https" else 80)
    found = socket.getaddrinfo(url.host, port, type=socket.SOCK_STREAM)
    addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
    for address in addresses:
        if reason := why_not(address, private_allowed=url.host in private):
            raise _RefusedError(reason)
    return addresses[:3]


def _body(response: httpx.Response, largest: int) -> bytes:
    """The bytes, unpacked by ourselves so that a small answer cannot become a huge one."""
    import zlib

    packing = response.headers.get("content-encoding", "").strip().lower()
    if packing not in {"", "identity", "gzip", "x-gzip"}:
        raise _RefusedError(f"it is packed by '{packing[:20]}', which was not asked for")
    unpack = zlib.decompressobj(wbits=31) if "gzip" in packing else None
    parts, size = [], 0
    for chunk in response.iter_raw(_CHUNK):
        try:
            part = unpack.decompress(chunk, largest - size + 1) if unpack else chunk
        except zlib.error:
            raise _RefusedError("its packed bytes are damaged") from None
        size += len(part)
        if size > largest:
            raise _RefusedError(f"it has more than {largest >> 20} MiB")
        parts.append(part)
    if unpack and not unpack.eof and size:
        raise _RefusedError("its packed bytes end too early")
    return b"".join(parts)
