"""Other schemas, a narrow screen, the switched-off page, and offline modules."""

import json
import pathlib
import re

from playwright.sync_api import expect

from harness import answer, button, eventually, run, server, tab, write


def test_any_schema_is_served(browser, example):
    with browser.page(example) as page:
        expect(button(page, "Sign in")).to_have_count(0)
        write(page, "{ search(text: \"1\") { ... on User { name } ... on Post { title } } }")
        run(page)
        assert json.loads(answer(page))["data"]["search"]


def test_switched_off(browser, binary):
    with server(binary, PLAYGROUND="false") as address:
        context = browser.browser.new_context()
        browser.watch(context, address)
        page = context.new_page()
        assert page.goto(address).status == 200
        expect(page.locator("body")).to_contain_text("switched off")
        assert page.request.get(f"{address}/playground/main.js").status == 404
        context.close()


def test_a_narrow_screen_has_panes_to_swipe(browser, tertulia):
    with browser.page(tertulia, viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        query, result = page.locator("#request"), page.locator("#answer")
        expect(query).to_be_in_viewport(ratio=0.9)
        button(page, "Run").click()
        expect(result).to_be_in_viewport(ratio=0.9)
        assert "feed" in answer(page)
        page.evaluate("document.getElementById('panes').scrollTo({ left: 0, behavior: 'instant' })")
        expect(page.locator("#side")).to_be_in_viewport(ratio=0.9)
        expect(button(page, "Explore")).to_have_attribute("aria-current", "true")
        page.locator(".rail-copy").get_by_role("button", name="Examples").click()
        page.get_by_role("button", name="Post a thought").click()
        expect(query).to_be_in_viewport(ratio=0.9)


def test_the_page_is_used_soon(browser, tertulia):
    """A bound on the work, not on the machine: the number of requests before somebody can write."""
    context = browser.browser.new_context()
    browser.watch(context, tertulia)
    context.add_init_script("""new MutationObserver((_, observer) => {
        if (!document.querySelector("#run svg")) return;
        observer.disconnect();
        globalThis.usedAfter = performance.now();
    }).observe(document, { childList: true, subtree: true })""")
    page = context.new_page()
    page.goto(tertulia)
    eventually(lambda: page.evaluate("globalThis.usedAfter ?? 0"), "The page cannot be used.")
    asked = page.evaluate("performance.getEntriesByType('resource').filter(({ startTime }) => startTime < usedAfter).map(({ name }) => name)")
    assert 10 < len(asked) <= 20, asked
    context.close()


def test_keys_wait_for_the_part_that_they_need(browser, tertulia):
    context = browser.browser.new_context()
    browser.watch(context, tertulia)
    page = context.new_page()
    waiting = []
    page.route("**/workbench.js", lambda route: waiting.append(route))
    page.goto(tertulia)
    page.locator("#run svg").wait_for()
    page.keyboard.press("Control+k")
    expect(page.get_by_role("dialog")).to_have_count(0)
    write(page, "query Early { __typename }")
    expect(page.locator("#query")).to_contain_text("Early")
    eventually(lambda: waiting, "The workbench was not asked for.")
    waiting[0].continue_()
    expect(page.get_by_role("dialog", name="Commands")).to_be_visible()
    expect(tab(page, "Early")).to_have_count(1)
    context.close()


def test_all_works_after_the_server_has_gone(browser, tertulia):
    """Every part is fetched while the browser is idle, so none is missed later."""
    with browser.page(tertulia) as page:
        fetched_all(page)
        page.context.set_offline(True)
        page.keyboard.press("Control+k")
        expect(page.get_by_role("dialog", name="Commands")).to_be_visible()
        page.keyboard.press("Escape")
        button(page, "Documentation").first.click()
        expect(page.locator("#side-docs")).to_contain_text("Roots")
        button(page, "Share").click()
        expect(page.get_by_role("dialog", name="Share this operation")).to_be_visible()


def fetched_all(page):
    """Waits for the last part that is fetched while the browser is idle."""
    last = "performance.getEntriesByType('resource').some(({ name, responseEnd }) => name.endsWith('/schema/refactor.js') && responseEnd > 0)"
    eventually(lambda: page.evaluate(last), "Some part was never fetched.")


# Fetch, 4.10: what the browser reports as sent is the body and 300 for the headers; 300 alone for a file that it has and
# asks about again.
HEADERS = 300
DOCUMENTATION = pathlib.Path(__file__).resolve().parents[3] / "docs/playground.md"


def test_a_first_load_takes_less_than_200_kb(browser, tertulia):
    with browser.page(tertulia) as page:
        # The worker loads its own modules; the last of them are here once it has answered.
        write(page, "{ nowhere }")
        expect(page.locator("#query .has-error").first).to_be_visible()
        fetched_all(page)
        sent = page.evaluate("""[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
            .filter(({ name }) => name.startsWith(location.origin) && !name.endsWith('/graphql')).map(({ name, transferSize }) => [name, transferSize])""")
        assert len(sent) > 50, sent
        total = sum(max(0, size - HEADERS) for _, size in sent)
        print(f"          a first load: {total} bytes in {len({name for name, _ in sent})} files")
        assert total < 200_000, total
        told = int(re.search(r"first load is (\d+) KB in bodies", DOCUMENTATION.read_text().replace("\n", " ")).group(1))
        assert abs(total / 1_000 - told) <= 1, f"{DOCUMENTATION} says {told} KB"


def test_a_reload_asks_for_the_page_and_the_description_alone(browser, tertulia):
    """The addresses of all other files have their release in them, so the browser keeps these."""
    with browser.page(tertulia) as page:
        fetched_all(page)
        page.reload()
        page.locator("#run svg").wait_for()
        fetched_all(page)
        sent = page.evaluate("performance.getEntriesByType('resource').filter(({ transferSize }) => transferSize > 0).map(({ name }) => new URL(name).pathname)")
        assert set(sent) <= {"/playground/description.json", "/graphql"}, sent


def test_arrows_go_through_the_parts_of_a_request(browser, tertulia):
    with browser.page(tertulia) as page:
        parts = ["Variables", "Headers", "Files", "Environment"]
        tab(page, "Variables").focus()
        for key, order in (("ArrowRight", [*parts[1:], parts[0]]), ("ArrowLeft", [*parts[:0:-1], parts[0]])):
            for name in order:
                page.keyboard.press(key)
                expect(tab(page, name)).to_be_focused()
                expect(tab(page, name)).to_have_attribute("aria-selected", "true")
                expect(page.locator(f"#panel-{name.lower()}")).to_be_visible()
        assert page.locator(".lower-panel:visible").count() == 1
