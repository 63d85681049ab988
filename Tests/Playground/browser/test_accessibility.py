"""axe-core over the main screens, light and dark: names, roles, contrast, structure. It reports violations of WCAG 2.2,
levels A and AA, and of its own best practices."""

import pathlib

import axe_playwright_python
from playwright.sync_api import expect

from test_documents import new_environment
from harness import answer, button, drawn, open_panel, run, run_by_button, search_schema, server, sign_up, tab, wait_for_schema, write

AXE = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()


class Audit:
    """Collects what axe-core reports about the screens of a page."""

    def __init__(self, page, scheme):
        self.page = page
        self.scheme = scheme
        self.found = []
        self.screens = 0

    def screen(self, name, without=()):
        drawn(self.page)
        # Movements change colours on their way. The mark of a live run moves without end.
        self.page.evaluate("""Promise.all(document.getAnimations()
            .filter((animation) => animation.effect.getComputedTiming().endTime !== Infinity)
            .map((animation) => animation.finished.catch(() => null)))""")
        self.page.evaluate(f"() => {{ if (!window.axe) {{ {AXE} }} }}")
        report = self.page.evaluate("(rules) => axe.run({ resultTypes: ['violations'], rules: Object.fromEntries(rules.map((rule) => [rule, { enabled: false }])) })", list(without))
        assert len(report["passes"]) > 10, name
        self.screens += 1
        for violation in report["violations"]:
            for node in violation["nodes"]:
                self.found.append(f"{self.scheme}, {name}: {violation['id']} {node['target']} {node['failureSummary']}")

    def end(self):
        assert not self.found, "\n".join(self.found)


def audited(browser, address, **options):
    """A page and an audit for each colour scheme."""
    for scheme in ("light", "dark"):
        with browser.page(address, color_scheme=scheme, **options) as page:
            audit = Audit(page, scheme)
            yield page, audit
            audit.end()


def test_the_panels_and_views_of_an_answer(browser, example):
    for page, audit in audited(browser, example):
        wait_for_schema(page)
        audit.screen("first load")
        write(page, "{ users(first: 3) { edges { node { id name } } } maybe }")
        run(page)
        answer(page)
        for view in ("Tree", "Text", "Table", "Response"):
            tab(page, view).click()
            audit.screen(view)
        for panel in ("Documentation", "Build a query", "Examples", "Saved operations", "History"):
            open_panel(page, panel)
            audit.screen(panel)
        open_panel(page, "Documentation")
        search_schema(page, "Use")
        found = page.locator("#side-docs").get_by_role("button", name="User", exact=True).first
        expect(found).to_be_visible()
        audit.screen("search of the schema")
        found.click()
        audit.screen("a type")
        for part in ("Headers", "Files", "Environment"):
            tab(page, part, exact=False).click()
            audit.screen(part)
        new_environment(page, "local", {"token": "a secret"})
        audit.screen("an environment")


def test_the_dialogs_and_menus(browser, tertulia):
    for page, audit in audited(browser, tertulia):
        for name in ("Share", "Code", "Save", "Sign up", "Sign in", "Token"):
            button(page, name).click()
            expect(page.get_by_role("dialog")).to_be_visible()
            audit.screen(name)
            page.keyboard.press("Escape")
            expect(page.get_by_role("dialog")).to_have_count(0)
        page.keyboard.press("Control+k")
        page.get_by_role("combobox").fill("the")
        audit.screen("palette")
        # The first press clears the field of the search, as in every page.
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")
        button(page, "Light or dark").click()
        # A menu is outside the landmarks while it is open, and has the focus.
        audit.screen("menu of themes", without=["region"])
        page.keyboard.press("Escape")
        name = f"axe_{audit.scheme}"
        sign_up(page, name)
        page.get_by_role("button", name=f"Session of {name}").click()
        audit.screen("menu of a session", without=["region"])


def test_the_editor_with_all_that_it_opens(browser, example):
    for page, audit in audited(browser, example):
        wait_for_schema(page)
        write(page, "# A comment\nquery Q($n: String = \"x\") { hello(name: $n) nowhere ")
        expect(page.locator("#query .squiggle, #query [class*=problem], #query [class*=error]").first).to_be_attached()
        audit.screen("a problem")
        page.keyboard.press("Control+Space")
        expect(page.get_by_role("listbox")).to_be_visible()
        audit.screen("completion")
        page.keyboard.press("Escape")
        page.keyboard.press("Control+f")
        audit.screen("search")


def test_several_sessions_and_a_live_list(browser, tertulia):
    for page, audit in audited(browser, tertulia):
        name = f"live_{audit.scheme}"
        sign_up(page, name)
        button(page, "Guest").click()
        expect(page.locator("#sessions [aria-pressed=true]")).not_to_have_text(name)
        page.get_by_role("button", name="Watch the feed live").click()
        run_by_button(page)
        expect(page.locator("#answer-status")).to_contain_text("Live")
        button(page, name).click()
        page.get_by_role("button", name="Post a thought").click()
        run(page)
        answer(page)
        tab(page, "Watch the feed live").click()
        expect(page.locator("table.live")).to_contain_text("ADDED")
        audit.screen("live list")
        tab(page, "Events").click()
        page.locator(".event-head").first.click()
        audit.screen("events")
        button(page, "New tab").click()
        write(page, "{ viewer { isAnonymous user { displayName } } }")
        button(page, "Compare").click()
        expect(page.locator(".comparison tbody tr").first).to_be_visible()
        audit.screen("comparison")


def test_a_narrow_screen(browser, example):
    narrow = {"viewport": {"width": 390, "height": 800}, "has_touch": True, "is_mobile": True}
    for page, audit in audited(browser, example, **narrow):
        for pane, place in (("Explore", "#side"), ("Query", "#request"), ("Answer", "#answer")):
            page.locator("#pane-nav").get_by_role("button", name=pane).click()
            expect(page.locator(place)).to_be_in_viewport(ratio=0.99)
            audit.screen(pane)


def test_the_page_that_is_switched_off(browser, binary):
    with server(binary, PLAYGROUND="false") as address:
        context = browser.context()
        page = context.new_page()
        page.goto(address)
        audit = Audit(page, "light")
        audit.screen("switched off")
        audit.end()
        context.close()
