"""Which addresses a page may be fetched from: public ones, and none that only looks like one."""

from __future__ import annotations

import ipaddress

_EMBEDDING = (ipaddress.IPv6Network("64:ff9b::/96"), ipaddress.IPv6Network("64:ff9b:1::/48"))
_SPECIAL = ipaddress.IPv4Network("192.0.0.0/24")  # all of it is private to Python only since 3.12
_METADATA = frozenset(
    map(
        ipaddress.ip_address,
        ("169.254.169.254", "168.63.129.16", "100.100.100.200", "fd00:ec2::254"),
    )
)

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def why_not(text: str, *, private_allowed: bool = False) -> str:
    """Why nothing is fetched from an address, in words; empty if it may be.

    Link-local and metadata addresses are refused even where private ones are allowed: they lead to a
    machine's own credentials.
    """
    address = ipaddress.ip_address(text.partition("%")[0])
    for inner in (address, *_inside(address)):
        if inner in _METADATA or inner.is_link_local:
            return f"{text} is a link-local or metadata address"
        if inner.is_multicast or inner.is_unspecified:
            return f"{text} is no address of one machine"
        if (not inner.is_global or inner in _SPECIAL) and not private_allowed:
            return f"{text} is a private or loopback address"
    return ""


def _inside(address: Address) -> list[Address]:
    """The IPv4 addresses that an IPv6 address carries for a gateway."""
    if isinstance(address, ipaddress.IPv4Address):
        return []
    found: list[Address] = [a for a in (address.ipv4_mapped, address.sixtofour) if a is not None]
    if address.teredo:
        found += address.teredo
    low = int(address) & 0xFFFFFFFF
    if any(address in network for network in _EMBEDDING) or int(address) >> 32 == 0:
        found.append(ipaddress.IPv4Address(low))
    return found
