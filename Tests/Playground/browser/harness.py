"""What the browser tests share: servers of their own, pages that may talk to them alone, and the count of problems."""

import contextlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

from playwright.sync_api import Page, expect

# In milliseconds. Only a test that fails waits so long.
TIMEOUT = 120_000
expect.set_options(timeout=TIMEOUT)


@contextlib.contextmanager
def server(binary, **settings):
    """A server on a free port, and the address that it prints."""
    home = tempfile.mkdtemp(prefix="playground-")
    # The private cluster's owner must be able to enter.
    os.chmod(home, 0o711)
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    environment |= {"TERTULIA_HOME": home, "HOST": "127.0.0.1", "PORT": "0", "METRICS_PORT": "0", "SHUTDOWN_DELAY": "0", "PASSWORD_HASH_LOG_N": "10"}
    environment |= {name: "0" for name in ("SIGN_UPS_PER_MINUTE", "ANONYMOUS_ACCOUNTS_PER_HOUR", "SIGN_INS_PER_FIVE_MINUTES")}
    environment |= settings
    command = [binary, "serve"] if "tertulia" in pathlib.Path(binary).name else [binary, "--port", "0"]
    log = open(f"{home}/log", "w+")
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=log, text=True, cwd=home)
    try:
        address = None
        while address is None:
            line = process.stdout.readline()
            if not line:
                log.seek(0)
                raise RuntimeError(f"{binary} did not start: {log.read()}")
            found = re.search(r"serves (http://\S+?)/graphql", line)
            address = found and found.group(1)
        yield address
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=TIMEOUT / 1_000)
        log.close()
        shutil.rmtree(home, ignore_errors=True)


class Browser:
    """A browser whose pages reach one server, and the problems that any of them had."""

    def __init__(self, browser):
        self.browser = browser
        self.problems = []
        self.blocked = []

    def context(self, **options):
        context = self.browser.new_context(**options)
        context.set_default_timeout(TIMEOUT)
        return context

    @contextlib.contextmanager
    def page(self, address, path="/", **options):
        options = {"viewport": {"width": 1440, "height": 900}, "permissions": ["clipboard-read", "clipboard-write"]} | options
        context = self.context(**options)
        self.watch(context, address)
        page = context.new_page()
        page.goto(address + path)
        page.locator("#run svg").wait_for()
        try:
            yield page
        finally:
            context.close()

    def watch(self, context, address):
        """Notes errors of scripts, violations of the policy, and requests to others than the server, which fail."""
        context.on("request", lambda request: None if request.url.startswith((address, "data:", "blob:")) else self.blocked.append(request.url))
        context.on("weberror", lambda error: self.problems.append(f"error: {error.error}"))
        context.on("console", lambda message: self.note(message))
        context.add_init_script(
            "addEventListener('securitypolicyviolation', (event) => console.error('policy violation: '"
            " + event.violatedDirective + ' ' + event.blockedURI))")

    def note(self, message):
        # The browser itself reports answers with a status of 400 and more; these are tests' own errors of operations.
        if message.type in ("error", "warning") and not message.text.startswith("Failed to load resource"):
            self.problems.append(f"console: {message.text}")


def search_schema(page, text):
    """Types into the documentation's search, and waits for the results. The start page has the same links until then: a link
    that is replaced while it is pressed is not clicked."""
    page.get_by_label("Search the schema").fill(text)
    expect(button(page, "Read the SDL")).to_have_count(0)


def open_panel(page: Page, name):
    """Opens a part of the side panel, where it is not open."""
    chosen = page.locator("#rail").get_by_role("button", name=name, exact=True)
    if chosen.get_attribute("aria-pressed") != "true":
        chosen.click()


def button(page: Page, name, exact=True):
    return page.get_by_role("button", name=name, exact=exact)


def tab(page: Page, name, exact=True):
    return page.get_by_role("tab", name=name, exact=exact)


def write(page: Page, text, label="Query"):
    """Puts a text into an editor in place of its own, by keyboard and clipboard, as people do."""
    editor = page.get_by_role("textbox", name=label, exact=True)
    editor.focus()
    page.keyboard.press("Control+a")
    page.evaluate("(text) => navigator.clipboard.writeText(text)", text)
    page.keyboard.press("Control+v")


def read(page: Page, label="Query"):
    """The text of an editor that is not empty, by way of the clipboard."""
    page.get_by_role("textbox", name=label, exact=True).focus()
    page.keyboard.press("Control+a")
    return copied(page, lambda: page.keyboard.press("Control+c"))


def copied(page: Page, copy):
    """The text that an action puts on the clipboard. The page's own copying ends some time after the click."""
    nothing = "nothing was copied yet"
    page.evaluate("(text) => navigator.clipboard.writeText(text)", nothing)
    copy()
    texts = []

    def is_there():
        texts.append(page.evaluate("navigator.clipboard.readText()"))
        return texts[-1] != nothing

    eventually(is_there, "the text is copied")
    return texts[-1].replace("\r\n", "\n")


def drawn(page: Page):
    """Waits until the page has drawn what happened until now. The log of events is drawn in the frame after the others."""
    page.evaluate("""(timeout) => new Promise((done, fail) => {
        setTimeout(() => fail(new Error("The page draws nothing.")), timeout);
        requestAnimationFrame(() => requestAnimationFrame(done));
    })""", TIMEOUT)


def run(page: Page, start=None):
    """Waits until nothing runs in the tab, runs by keyboard or by `start`, and waits until the page shows this run."""
    expect(page.locator("#run.running")).to_have_count(0)
    (start or (lambda: page.keyboard.press("Control+Enter")))()
    drawn(page)


def run_by_button(page: Page):
    run(page, button(page, "Run").click)


def answer(page: Page):
    """The answer as JSON text, once the run has ended."""
    expect(page.locator("#run.running")).to_have_count(0)
    tab(page, "Text").click()
    drawn(page)
    text = page.locator(".is-text pre")
    expect(text).to_be_visible()
    expect(text).not_to_be_empty()
    return text.text_content()


def wait_for_schema(page: Page):
    """Opens the documentation, and waits for the schema, which completion and commands need too."""
    open_panel(page, "Documentation")
    expect(page.locator("#side-docs")).to_contain_text("Objects (")


def be_guest(page: Page):
    """Opens the page's first session, which needs no account."""
    button(page, "Guest").click()
    expect(page.locator("#sessions .chip-more")).to_have_count(1)


def sign_up(page: Page, name):
    button(page, "Sign up").click()
    page.get_by_label("Username").fill(name)
    page.get_by_label("E-mail").fill(f"{name}@example.org")
    page.get_by_label("Password").fill("a long quiet evening")
    page.get_by_role("dialog").get_by_role("button", name="Sign up").click()
    expect(button(page, name)).to_have_attribute("aria-pressed", "true")


def eventually(condition, what):
    end = time.monotonic() + TIMEOUT / 1_000
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(what)
        time.sleep(0.05)
