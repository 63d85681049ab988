"""A browser's EventSource, on a page of another origin: it goes on where its stream broke, and ends after a lasting refusal."""

import contextlib
import socket
import threading
import urllib.parse

from harness import server
from test_live_feed import Account, files, opened

# Notes what the source gets. A message is the text of its first error, or of its node.
OPEN = """(address) => {
  window.heard = [];
  const source = new EventSource(address);
  source.addEventListener('next', (event) => {
    const {data, errors} = JSON.parse(event.data);
    window.heard.push(errors ? errors[0].extensions.code : data.feedChanges.node.text);
  });
  source.addEventListener('error', () => { if (source.readyState === EventSource.CLOSED) window.heard.push('closed'); });
}"""


class Relay:
    """Hands bytes on between clients and a server, until it cuts their connections."""

    def __init__(self, address):
        self.server = urllib.parse.urlsplit(address)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.ends = []
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                server = socket.create_connection((self.server.hostname, self.server.port))
                self.ends += [client, server]
                for source, target in ((client, server), (server, client)):
                    threading.Thread(target=hand_on, args=(source, target), daemon=True).start()

    def cut(self):
        for end in self.ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


def hand_on(source, target):
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)


def subscription(address, after):
    query = "subscription($after: String) { feedChanges(after: $after) { node { ... on Thought { text } } } }"
    variables = '{"after":"%s"}' % after
    return f"{address}/graphql?{urllib.parse.urlencode({'query': query, 'variables': variables})}"


def test_an_event_source_goes_on_where_its_stream_broke(browser, binary):
    with files() as origin, server(binary, ALLOWED_ORIGINS=origin) as address:
        relay, writer = Relay(address), Account(address, "ana")
        before = writer.ask("{ changeCursor }")["changeCursor"]
        writer.post("first")
        with opened(browser, f"{origin}/live-feed.html?{address}") as page:
            page.evaluate(OPEN, subscription(relay.address, before))
            page.wait_for_function("heard.length >= 1")
            relay.cut()
            writer.post("second")
            page.wait_for_function("heard.includes('second')")
            assert page.evaluate("heard") == ["first", "second"]


def test_an_event_source_ends_after_a_lasting_refusal(browser, binary):
    with files() as origin, server(binary, ALLOWED_ORIGINS=origin) as address:
        with opened(browser, f"{origin}/live-feed.html?{address}") as page:
            page.evaluate(OPEN, subscription(address, "nonsense"))
            page.wait_for_function("heard.includes('closed')")
            assert page.evaluate("heard") == ["BAD_USER_INPUT", "closed"]
