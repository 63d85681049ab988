"""Examples/live-feed.html, a page of another origin: allowed, not allowed, and opened as a file."""

import contextlib
import functools
import http.server
import json
import pathlib
import threading
import urllib.request

from playwright.sync_api import expect

from harness import server

EXAMPLES = pathlib.Path(__file__).resolve().parents[3] / "Examples"


class Files(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@contextlib.contextmanager
def files():
    """Serves the folder of examples, and gives the origin of its pages."""
    served = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=EXAMPLES))
    threading.Thread(target=served.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{served.server_port}"
    finally:
        served.shutdown()
        served.server_close()


class Account:
    """A new account of a server, without a browser."""

    def __init__(self, address, name):
        self.address = address
        self.token = None
        made = self.ask(
            "mutation S($n: String!, $e: String!, $p: String!) { signUp(input: {username: $n, email: $e, password: $p}) { accessToken } }",
            n=name, e=f"{name}@example.org", p="a long quiet evening")
        self.token = made["signUp"]["accessToken"]

    def ask(self, query, **variables):
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {self.token}"} if self.token else {})
        body = json.dumps({"query": query, "variables": variables}).encode()
        with urllib.request.urlopen(urllib.request.Request(f"{self.address}/graphql", body, headers)) as response:
            answer = json.load(response)
        assert "errors" not in answer, answer
        return answer["data"]

    def post(self, text):
        made = self.ask("mutation M($t: String!) { createThought(input: {category: FUNNY, text: $t}) { thought { id } } }", t=text)
        return made["createThought"]["thought"]["id"]


@contextlib.contextmanager
def opened(browser, address):
    """A page and the errors of its scripts. A refused request is no such error."""
    context = browser.context()
    errors = []
    context.on("weberror", lambda error: errors.append(str(error.error)))
    page = context.new_page()
    page.goto(address)
    try:
        yield page
        assert not errors, errors
    finally:
        context.close()


def test_a_feed_of_an_allowed_origin_stays_live(browser, binary):
    with files() as origin, server(binary, ALLOWED_ORIGINS=origin) as address:
        writer, reader = Account(address, "ana"), Account(address, "ben")
        first = writer.post("Before the page was opened")
        with opened(browser, f"{origin}/live-feed.html?{address}") as page:
            lines = page.locator("#feed li")
            expect(page.locator("#state")).to_have_text("live")
            expect(lines).to_have_count(1)
            expect(page.locator(f"#{first}")).to_contain_text("Before the page was opened (0 like it)")
            second = writer.post("While the page is open")
            expect(lines).to_have_count(2)
            expect(lines.first).to_contain_text("While the page is open")
            reader.ask("mutation L($id: ID!) { likeThought(input: {thoughtId: $id}) { userErrors { message } } }", id=first)
            expect(page.locator(f"#{first}")).to_contain_text("(1 like it)")
            writer.ask("mutation D($id: ID!) { deleteThought(input: {id: $id}) { userErrors { message } } }", id=second)
            expect(page.locator(f"#{second}")).to_have_count(0)
            expect(lines).to_have_count(1)


def test_a_feed_of_another_origin_says_what_to_set(browser, tertulia):
    with files() as origin, opened(browser, f"{origin}/live-feed.html?{tertulia}") as page:
        expect(page.locator("#state")).to_contain_text(f"does {tertulia} run, and with ALLOWED_ORIGINS={origin}?")
        expect(page.locator("#feed li")).to_have_count(0)


def test_a_feed_opened_as_a_file_says_what_to_set(browser, tertulia):
    with opened(browser, f"{(EXAMPLES / 'live-feed.html').as_uri()}?{tertulia}") as page:
        expect(page.locator("#state")).to_contain_text("with ALLOWED_ORIGINS=*?")


def test_a_feed_opened_as_a_file_works_where_all_origins_are_allowed(browser, binary):
    with server(binary, ALLOWED_ORIGINS="*") as address:
        writer = Account(address, "ana")
        with opened(browser, f"{(EXAMPLES / 'live-feed.html').as_uri()}?{address}") as page:
            expect(page.locator("#state")).to_have_text("live")
            made = writer.post("Seen by a file")
            expect(page.locator(f"#{made}")).to_contain_text("Seen by a file")
