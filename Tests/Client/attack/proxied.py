"""What clients and pages say of themselves to a server behind a proxy: the server was started with TRUSTED_PROXIES=1,
ANONYMOUS_ACCOUNTS_PER_HOUR=2, PUBLIC_URL=https://api.example.org and ALLOWED_ORIGINS=https://app.example.org."""

from .introspection import ANONYMOUS
from .sockets import WebSocket


def attacks(server):
    yield "one client, as proxies write its address", lambda: one_client(server)
    yield "a client's own addresses before the proxy's", lambda: own_addresses(server)
    yield "the header that the proxy does not write", lambda: other_header(server)
    yield "a proxy that names no address", lambda: no_address(server)
    yield "pages of a name that was made to lead here", lambda: foreign_pages(server)
    yield "a preflight for too many headers", lambda: too_many_headers(server)


def codes(server, *lines):
    """Those of three requests for an account: of one client the third is refused."""
    found = []
    for number in range(3):
        headers = "".join(f"{line.format(number=number)}\r\n" for line in lines)
        body = f'{{"query": "{ANONYMOUS}"}}'
        answer = server.exchange((
            "POST /graphql HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n{headers}\r\n{body}").encode())
        assert answer.startswith(b"HTTP/1.1 200"), answer
        found.append("RATE_LIMITED" if b"RATE_LIMITED" in answer else "data" if b"accessToken" in answer else answer)
    return found


LIMITED = ["data", "data", "RATE_LIMITED"]
FREE = ["data", "data", "data"]


def one_client(server):
    assert codes(server, "X-Forwarded-For: 198.51.100.1:5{number}123") == LIMITED
    assert codes(server, 'X-Forwarded-For: "[2001:db8:1::{number}]:443"') == LIMITED
    assert codes(server, "X-Forwarded-For: 192.0.2.{number}:443") == FREE


def own_addresses(server):
    assert codes(server, "X-Forwarded-For: 203.0.113.{number}, 198.51.100.2") == LIMITED
    assert codes(server, "X-Forwarded-For: 203.0.113.{number}", "X-Forwarded-For: 198.51.100.3") == LIMITED
    # U+0600 combines with the comma that the proxy appends.
    assert codes(server, "X-Forwarded-For: 203.0.113.{number}\u0600, 198.51.100.5") == LIMITED


def other_header(server):
    assert codes(server, "Forwarded: for=203.0.113.{number}", "X-Forwarded-For: 198.51.100.4") == LIMITED


def no_address(server):
    """Such clients count as the proxy, never as whom the client names."""
    assert codes(server, "X-Forwarded-For: 203.0.113.{number}, unknown") == LIMITED
    assert codes(server, "X-Other: {number}") == ["RATE_LIMITED"] * 3


def foreign_pages(server):
    for origin, status in (
            ("http://localhost", 403), ("http://api.example.org", 403), ("null", 403),
            ("https://api.example.org", 101), ("https://app.example.org", 101)):
        socket = WebSocket(server, Origin=origin)
        socket.connection.close()
        assert socket.status == status, (origin, socket.status)


def too_many_headers(server):
    for names, allowed in (
            (["baggage", "sentry-trace"], "baggage, sentry-trace"), ([f"x-{number}" for number in range(33)], None),
            (["x" * 1025], None), (["a", "b\tc"], "a")):
        answer = server.send("OPTIONS", "/graphql", headers={
            "Origin": "https://app.example.org", "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": ",".join(names)})
        assert answer.status == 204 and answer.headers["Access-Control-Allow-Headers"] == allowed, answer.headers.items()
