"""Documentation, the query tree, the palette, and the keyboard."""

import json
import re

from playwright.sync_api import expect

from harness import answer, button, open_panel, read, run, search_schema, wait_for_schema, write


def test_documentation_is_searched_followed_and_gone_back(browser, tertulia):
    with browser.page(tertulia) as page:
        open_panel(page, "Documentation")
        docs = page.locator("#side-docs")
        search_schema(page, "FeedConn")
        docs.get_by_role("button", name="FeedConnection", exact=True).click()
        expect(docs.get_by_role("heading", name="FeedConnection")).to_be_visible()
        expect(docs).to_contain_text("Used by")
        docs.get_by_role("button", name="Query.feed").click()
        expect(docs.get_by_role("heading", name="feed", exact=True)).to_be_visible()
        expect(docs).to_contain_text("Arguments")
        button(page, "Back").click()
        expect(docs.get_by_role("heading", name="FeedConnection")).to_be_visible()
        button(page, "Forward").click()
        expect(docs.get_by_role("heading", name="feed", exact=True)).to_be_visible()
        docs.get_by_role("button", name="Add to the query").click()
        assert re.search(r"feed", read(page))


def test_deprecations_are_told(browser, example):
    with browser.page(example) as page:
        open_panel(page, "Documentation")
        search_schema(page, "Role")
        page.locator("#side-docs").get_by_role("button", name="Role", exact=True).click()
        expect(page.locator("#side-docs .old-note")).to_contain_text("no guests")


def test_the_sdl_is_read_and_downloaded(browser, example):
    with browser.page(example) as page:
        open_panel(page, "Documentation")
        with page.expect_download() as download:
            button(page, "Download it").click()
        text = open(download.value.path()).read()
        assert "type Query" in text and "union SearchResult = " in text, text[:300]
        button(page, "Read the SDL").click()
        expect(page.get_by_role("dialog")).to_contain_text("type Subscription")


def test_ticking_builds_the_query(browser, example):
    with browser.page(example) as page:
        write(page, "")
        open_panel(page, "Build a query")
        tree = page.locator("#side-build")
        tree.get_by_label("hello", exact=False).check()
        assert "hello" in read(page)
        tree.get_by_label("node Node", exact=True).check()
        text = read(page)
        assert "node(id: $id)" in text and "$id: ID!" in text, text
        tree.get_by_label("… on User").check()
        assert "... on User" in read(page)
        tree.get_by_label("hello", exact=False).uncheck()
        assert "hello" not in read(page)
        tree.get_by_label("node Node", exact=True).uncheck()
        page.keyboard.press("Control+z")


def test_a_box_stays_while_the_query_is_checked(browser, example):
    """A press ends on the element on which it began, or it does nothing."""
    with browser.page(example) as page:
        write(page, "query Ticked { getValue }")
        open_panel(page, "Build a query")
        box = page.locator("#side-build").get_by_label("hello", exact=False)
        with page.expect_response(lambda response: "hello" in (response.request.post_data or "")):
            box.check()
            ticked = box.element_handle()
        assert ticked.evaluate("(box) => box.isConnected")


def test_the_palette_has_every_action(browser, example):
    with browser.page(example) as page:
        wait_for_schema(page)
        for typed, wanted in [("new tab", "New tab"), ("dark", "Theme: dark"), ("history", "Open history"), ("Query.hello", "Query.hello")]:
            page.keyboard.press("Control+k")
            page.get_by_role("combobox").fill(typed)
            expect(page.get_by_role("option").first).to_contain_text(wanted)
            page.keyboard.press("Enter")
            expect(page.get_by_role("dialog")).to_have_count(0)
        expect(page.locator("html")).to_have_attribute("data-theme", "dark")
        expect(page.locator("#side-docs").get_by_role("heading", name="hello")).to_be_visible()


def test_everything_is_reached_by_tab(browser, example):
    with browser.page(example) as page:
        wait_for_schema(page)
        reached = set()
        for _ in range(80):
            page.keyboard.press("Tab")
            reached.add(page.evaluate("document.activeElement.id || document.activeElement.getAttribute('aria-label') || document.activeElement.textContent"))
            # Inside an editor Tab may indent; Escape leaves it.
            page.keyboard.press("Escape")
        for wanted in ("run", "open-palette", "theme", "Query", "Documentation", "view-tree"):
            assert wanted in reached, (wanted, reached)


def test_the_query_is_written_anew(browser, example):
    with browser.page(example) as page:
        def command(name):
            page.keyboard.press("Control+k")
            page.get_by_role("combobox").fill(name)
            page.keyboard.press("Enter")

        wait_for_schema(page)
        write(page, 'query Q { hello(name: "Ana") users(first: 2) { edges { node { id name } } } }')
        page.keyboard.press("Control+End")
        command("make variables")
        assert "hello(name: $name)" in read(page) and "$first: Int" in read(page), read(page)
        assert json.loads(read(page, "Variables")) == {"name": "Ana", "first": 2}
        page.get_by_role("textbox", name="Query", exact=True).focus()
        page.keyboard.press("Control+End")
        run(page)
        assert len(json.loads(answer(page))["data"]["users"]["edges"]) == 2
        write(page, "{ users { edges { node { id name } } } }")
        for _ in range(9):
            page.keyboard.press("ArrowLeft")
        command("make a fragment")
        assert "fragment UserFields on User" in read(page), read(page)
        command("make variables")
        expect(page.locator("#toast")).to_contain_text("nothing at the caret")
