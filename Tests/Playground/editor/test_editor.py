#!/usr/bin/env python3
"""Tests the playground's editor in Chromium, on a page of its own: test_editor.py [--only NAME]

browser/measure.py measures it, on the playground itself.
"""

import argparse
import functools
import http.server
import pathlib
import sys
import threading
import time
import traceback

from playwright.sync_api import sync_playwright

HERE = pathlib.Path(__file__).resolve().parent
PLAYGROUND = HERE.parents[2] / "Sources/GraphQLTransport/Playground"
# Seconds after which something counts as not coming.
TIMEOUT = 120


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".html": "text/html"}

    def translate_path(self, path):
        path = path.split("?")[0]
        for prefix, folder in (("/playground/", PLAYGROUND), ("/tests/", HERE.parent), ("/Sources/GraphQLTransport/Playground/", PLAYGROUND), ("/", HERE)):
            if path.startswith(prefix):
                return str(folder / (path[len(prefix):] or "index.html"))

    def log_message(self, *arguments):
        pass


def caret_in(marked):
    """Where `¦` stands, in UTF-16 code units; -1 without one."""
    at = marked.find("¦")
    return len(marked[:at].encode("utf-16-le")) // 2 if at >= 0 else -1


class Page:
    """The page with shorthands: `value`, `caret`, `write`, `press`."""

    def __init__(self, page):
        self.page = page

    def js(self, text, argument=None):
        return self.page.evaluate(text, argument)

    @property
    def value(self):
        return self.js("editor.value")

    @property
    def caret(self):
        return self.js("editor.caret")

    @property
    def shown(self):
        return self.js("[...document.querySelectorAll('.editor-line')].map((line) => line.textContent).join('\\n')")

    def write(self, marked):
        """Sets the text and the caret, where `¦` stands or at the end."""
        at = caret_in(marked)
        text = marked.replace("¦", "")
        self.js("([text, at]) => { editor.value = text; editor.focus(); editor.selection = { anchor: at, head: at } }",
                [text, at if at >= 0 else len(text)])

    def until(self, condition):
        """Waits for a condition. Playwright's own way needs `eval`, which the policy forbids."""
        deadline = time.monotonic() + TIMEOUT
        while not self.js(condition):
            assert time.monotonic() < deadline, f"never came true: {condition}"
            self.page.wait_for_timeout(20)

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def type(self, text):
        self.page.keyboard.type(text)

    def expect(self, marked):
        """The text, and the caret where `¦` stands; the elements must say the same."""
        text = marked.replace("¦", "")
        assert self.value == text, f"{self.value!r} is not {text!r}"
        assert self.shown == text, f"the elements say {self.shown!r}, not {text!r}"
        if "¦" in marked:
            assert self.caret == caret_in(marked), f"the caret is at {self.caret}, not at {caret_in(marked)}"

    def completions(self):
        return self.js("[...document.querySelectorAll('.editor-completion.is-open li')].map((row) => row.querySelector('.editor-item-label').textContent)")


def test_typing_closes_brackets_and_steps_over_them(page):
    page.write("")
    page.type("query Q(")
    page.press("Escape")
    page.type(")")
    page.expect("query Q()¦")


def test_enter_indents_between_brackets(page):
    page.write("{¦}")
    page.press("Enter")
    page.expect("{\n  ¦\n}")


def test_deleting_joins_lines_and_removes_words_and_pairs(page):
    page.write("ab\n¦cd")
    page.press("Backspace")
    page.expect("ab¦cd")
    page.press("Delete")
    page.expect("ab¦d")
    page.press("Control+Backspace")
    page.expect("¦d")
    page.write("a(¦)")
    page.press("Backspace")
    page.expect("a¦")
    page.write("x\U0001F468‍\U0001F469‍\U0001F467¦y")
    page.press("Backspace")
    page.expect("x¦y")


def test_everything_can_be_undone(page):
    page.write("{ a(x:1){b} }")
    page.press("Shift+Alt+f")
    page.expect("{\n  a(x: 1) {\n    b\n  }\n}\n")
    page.press("Control+/")
    page.press("Control+z", "Control+z")
    page.expect("{ a(x:1){b} }")
    page.press("Control+Shift+z")
    page.expect("{\n  a(x: 1) {\n    b\n  }\n}\n")


def test_all_is_selected_and_replaced(page):
    page.write("a\nb\nc")
    page.press("Control+a")
    page.until("editor.selection.anchor === 0 && editor.selection.head === 5")
    page.press("Delete")
    page.expect("¦")
    page.type("x")
    page.expect("x¦")


def test_lines_are_commented_moved_doubled_and_deleted(page):
    page.write("one\nt¦wo\nthree")
    page.press("Control+/")
    page.expect("one\n# two\nthree")
    page.press("Control+/")
    page.expect("one\nt¦wo\nthree")
    page.press("Alt+ArrowDown")
    page.expect("one\nthree\nt¦wo")
    page.press("Shift+Alt+ArrowDown")
    page.expect("one\nthree\ntwo\nt¦wo")
    page.press("Control+Shift+k")
    page.expect("one\nthree\ntwo")


def test_tab_indents_and_escape_lets_it_leave(page):
    page.write("¦a")
    page.press("Tab")
    page.expect("  ¦a")
    page.press("Shift+Tab")
    page.expect("¦a")
    page.press("Escape", "Tab")
    assert page.js("document.activeElement.id") == "after"
    page.press("Shift+Tab")
    page.until("editor.isFocused")


def test_folds_what_is_in_brackets(page):
    page.write("{\n  ¦a {\n    b\n  }\n}")
    page.press("Control+Shift+BracketLeft")
    hidden = "[...document.querySelectorAll('.editor-line')].map((line) => line.hidden)"
    assert page.js(hidden) == [False, False, True, False, False]
    page.press("ArrowDown")
    page.until("editor.lines.at(editor.caret).line === 3")
    page.js("editor.goTo({ line: 3, column: 5 })")
    assert not any(page.js(hidden))
    assert page.caret == 12


def test_pastes_lines(page):
    page.write("a¦b")
    page.js("""() => {
      const data = new DataTransfer();
      data.setData("text/plain", "x\\r\\ny");
      editor.view.content.dispatchEvent(new InputEvent("beforeinput", { inputType: "insertFromPaste", dataTransfer: data, cancelable: true, bubbles: true }));
    }""")
    page.expect("ax\ny¦b")


def test_composes(page):
    page.write("a¦b")
    client = page.page.context.new_cdp_session(page.page)
    client.send("Input.imeSetComposition", {"text": "ni", "selectionStart": 2, "selectionEnd": 2})
    client.send("Input.imeSetComposition", {"text": "nih", "selectionStart": 3, "selectionEnd": 3})
    assert page.value == "anihb"
    client.send("Input.insertText", {"text": "你好"})
    page.expect("a你好¦b")


def test_searches_and_replaces(page):
    page.write("¦foo bar foo\nFoo")
    page.press("Control+f")
    page.type("foo")
    page.until("document.querySelector('.editor-count').textContent === '1 of 3'")
    page.press("Enter")
    assert page.js("editor.selection") == {"anchor": 8, "head": 11}
    page.page.get_by_label("Replace with").fill("zoo")
    page.page.get_by_label("Replace all matches").click()
    page.press("Escape")
    page.expect("zoo bar zoo\nzoo")
    assert page.js("editor.isFocused")
    page.press("Control+z")
    page.expect("foo bar foo\nFoo")


def test_completes_above_everything_and_at_the_edges(page):
    page.write("{\n" + "  id\n" * 200 + "  user¦\n}")
    page.press("Control+Space")
    page.page.wait_for_selector(".editor-completion.is-open")
    box = page.page.locator(".editor-completion").bounding_box()
    size = page.page.viewport_size
    assert box["x"] >= 0 and box["y"] >= 0 and box["x"] + box["width"] <= size["width"] and box["y"] + box["height"] <= size["height"], box
    assert page.completions()[:1] == ["user"], page.completions()
    assert page.js("editor.view.content.getAttribute('aria-activedescendant')")


def test_completion_fills_in_what_is_required(page):
    page.write("{ no¦ }")
    page.press("Control+Space")
    page.page.wait_for_selector(".editor-completion.is-open")
    page.press("Enter")
    page.expect("{ node(id: ¦) {\n  \n} }")
    page.press("Escape")
    page.write("{ posts(filter: {}, ¦) { id } }")
    page.press("Control+Space")
    assert page.completions() == ["order", "first"]
    page.press("Escape")


def test_typing_opens_and_narrows_completions(page):
    page.write("{ ¦ }")
    page.type("po")
    page.page.wait_for_selector(".editor-completion.is-open")
    assert page.completions() == ["posts"]
    page.press("ArrowDown", "Tab")
    page.expect("{ posts {\n  ¦\n} }")
    page.press("Escape")


def test_marks_errors_also_at_the_end(page):
    page.write("{\n  node(id: 1) { id }\n")
    page.until("editor.marks.length === 1")
    assert page.js("[...document.querySelectorAll('.editor-number.has-error')].map((number) => number.textContent)") == ["3"]
    assert page.page.locator(".editor-line.has-mark").count() == 1
    page.press("Control+Home", "F8")
    page.page.wait_for_selector(".editor-hover.is-open")
    assert "Syntax Error" in page.page.locator(".editor-hover").inner_text()
    assert page.js("editor.lines.at(editor.caret).line") == 2
    page.press("Escape")


def test_marks_what_the_schema_does_not_have(page):
    page.write("{ nod¦ }")
    page.until("editor.marks[0]?.message === 'Cannot query field \"nod\" on type \"Query\". Did you mean \"node\" or \"old\"?'")
    assert page.js("CSS.highlights.get('editor-error').size") == 1


def test_shows_documentation_and_goes_to_it(page):
    page.write("{ po¦sts { id } }")
    page.press("Control+i")
    page.page.wait_for_selector(".editor-hover.is-open")
    assert "About posts." in page.page.locator(".editor-hover").inner_text()
    page.press("Escape", "F12")
    assert page.js("links.at(-1)") == {"type": "Query", "member": "posts"}
    box = page.js("(() => { const box = editor.view.rectangleAt(4); return [box.left + 2, box.top + 8] })()")
    page.page.mouse.move(*box)
    page.page.wait_for_selector(".editor-hover.is-open")
    page.page.mouse.move(5, 700)
    page.page.wait_for_selector(".editor-hover.is-open", state="detached")


def test_a_click_puts_the_caret(page):
    page.write("hello world\nsecond line")
    page.js("document.getElementById('after').focus()")
    page.js("editor.value = 'hello world\\nsecond lines'")
    box = page.js("(() => { const box = editor.view.rectangleAt(14); return [box.left, box.top + 10] })()")
    page.page.mouse.click(*box)
    page.until("editor.caret === 14")
    page.type("!")
    page.expect("hello world\nse!¦cond lines")


def test_keeps_a_history_for_each_state(page):
    page.write("first")
    page.type("!")
    kept = """() => {
      const state = editor.state;
      editor.state = { text: "second", selection: { anchor: 0, head: 0 }, history: null, folds: [], scroll: { top: 0, left: 0 } };
      editor.undo();
      const other = editor.value;
      editor.state = state;
      const first = editor.value;
      editor.undo();
      return [other, first, editor.value];
    }"""
    assert page.js(kept) == ["second", "first!", "first"]


def test_a_long_text_is_edited_in_its_middle(page):
    page.js("editor.value = Array.from({ length: 3000 }, (_, index) => `field${index}`).join('\\n')")
    page.js("editor.goTo({ line: 1500, column: 1 })")
    page.type("x\n")
    page.press("Delete")
    lines = page.value.split("\n")
    assert (len(lines), lines[1499], lines[1500]) == (3001, "x", "ield1499"), lines[1498:1502]
    assert page.shown == page.value
    page.until("[...document.querySelectorAll('.editor-number')].some((number) => number.textContent === '1500')")


def test_a_colour_change_reaches_the_lines_below(page):
    page.write("¦\n{ a }")
    page.until("document.querySelectorAll('.editor-line')[1].firstChild.className === 'tok-punctuation'")
    page.write('"""¦\n{ a }')
    page.until("document.querySelectorAll('.editor-line')[1].firstChild.className === 'tok-string'")


def carets(page):
    """Each caret's place in the text, the editor's own among them."""
    return page.js("editor.carets.all.map(({ head }) => head)")


def test_occurrences_are_edited_together(page):
    page.write("a { na¦me } b { name } c { name }")
    page.press("Control+d")
    assert page.js("editor.selection") == {"anchor": 4, "head": 8}
    page.press("Control+d")
    page.type("id")
    page.expect("a { id } b { id¦ } c { name }")
    assert carets(page) == [6, 15]
    assert page.page.locator(".editor-caret").count() == 1
    page.press("Backspace", "ArrowLeft")
    page.type("(")
    page.expect("a { (i } b { (¦i } c { name }")
    page.press("Control+z", "Control+z")
    page.expect("a { id } b { id } c { name }")
    page.press("Control+z")
    page.expect("a { name } b { name¦ } c { name }")
    assert page.js("editor.carets.others") == [{"anchor": 4, "head": 8}]
    page.press("Escape")
    assert page.js("editor.carets.others") == []
    page.press("Control+Shift+z")
    page.expect("a { id } b { id¦ } c { name }")
    page.write("x¦ x x")
    page.press("Control+Shift+l", "Control+c", "Delete")
    page.expect("  ")
    assert carets(page) == [0, 1, 2]


def test_carets_stand_below_each_other(page):
    page.write("a¦b\n\nabc\nd")
    page.press("Control+Alt+ArrowDown", "Control+Alt+ArrowDown")
    assert carets(page) == [1, 3, 5], "a shorter line between them is passed"
    page.press("End")
    page.type("!")
    page.expect("ab!\n!\nabc!¦\nd")
    page.press("Control+Backspace")
    page.expect("ab\n\nabc¦\nd")
    page.press("Enter")
    page.expect("ab\n\n\n\nabc\n¦\nd")
    page.press("Control+z", "Home", "Shift+End")
    page.type("x")
    page.expect("x\nx\nx¦\nd")
    page.press("Control+Alt+ArrowDown", "Tab", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp")
    assert carets(page) == [0], "carets that meet become one"


def test_a_click_adds_a_caret_or_takes_all_away(page):
    page.write("one¦\ntwo\nthree")

    def click(offset, *keys):
        box = page.js("(offset) => { const box = editor.view.rectangleAt(offset); return [box.left, box.top + 10] }", offset)
        for key in keys:
            page.page.keyboard.down(key)
        page.page.mouse.click(*box)
        for key in keys:
            page.page.keyboard.up(key)

    click(7, "Alt")
    click(13, "Alt")
    assert carets(page) == [3, 7, 13]
    page.js("""() => {
      const data = new DataTransfer();
      data.setData("text/plain", "1\\n2\\n3");
      editor.view.content.dispatchEvent(new InputEvent("beforeinput", { inputType: "insertFromPaste", dataTransfer: data, cancelable: true, bubbles: true }));
    }""")
    page.expect("one1\ntwo2\nthree3¦")
    click(1)
    page.until("editor.caret === 1")
    page.type("-")
    page.expect("o-¦ne1\ntwo2\nthree3")
    assert page.page.locator(".editor-caret").count() == 0


def test_a_completion_is_taken_at_each_caret(page):
    page.write("{ ¦ }\n{ }")
    page.js("editor.carets.set([{ anchor: 2, head: 2 }, { anchor: 8, head: 8 }], { anchor: 2, head: 2 })")
    page.type("use")
    page.page.wait_for_selector(".editor-completion.is-open")
    page.press("Enter")
    assert page.value.count("user") == 2, page.value


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="")
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    options = parser.parse_args()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(HERE)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    failed, problems = [], []
    with sync_playwright() as playwright:
        # Chromium's own sandbox does not work for root, which containers run as.
        browser = playwright.chromium.launch(executable_path=options.chromium, args=["--no-sandbox"])
        tab = browser.new_page()
        tab.set_default_timeout(TIMEOUT * 1_000)
        tab.on("pageerror", lambda error: problems.append(f"error: {error}"))
        tab.on("console", lambda message: problems.append(message.text) if message.type == "error" and "favicon" not in message.location.get("url", "") else None)
        tab.goto(f"http://127.0.0.1:{server.server_port}/")
        page = Page(tab)
        page.until("globalThis.editor !== undefined")
        tests = [(name, test) for name, test in globals().items() if name.startswith("test_") and options.only in name]
        for name, test in tests:
            try:
                test(page)
            except Exception:
                failed.append(name)
                print(f"failed: {name}\n{traceback.format_exc()}")
        browser.close()
    print(f"editor: {len(tests) - len(failed)} of {len(tests)} tests passed, {len(problems)} script errors or policy violations")
    print("\n".join(problems))
    return 1 if failed or problems else 0


if __name__ == "__main__":
    sys.exit(main())
