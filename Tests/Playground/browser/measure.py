#!/usr/bin/env python3
"""Measures the playground in Chromium: measure.py SERVER [--files FOLDER] [--only NAME] [--loads COUNT]

SERVER is a built server, or the address of one that runs. Four figures, on the page as people have it:

- what a keystroke costs the main thread in texts of 500 and of 5,000 lines: script, style, layout and paint from the
  browser's trace, with all that begins within 250 ms, timers included; workers are not counted;
- when the page is usable: the first frame after its last script has run, from the beginning of the navigation, with an empty
  cache and with a full one; and when its schema is there;
- what opening a completion costs in a schema of 1,000 types, counted like a keystroke.

With --files the page's files are read from a folder in place of the server's, to compare two states of them.
"""

import argparse
import bisect
import contextlib
import json
import pathlib
import urllib.parse

from playwright.sync_api import sync_playwright

import harness

QUERY = """(count) => {
  const lines = ["query Q($id: ID!) {"];
  for (let index = 0; lines.length < count - 2; index += 1) {
    lines.push(`  node${index}: node(id: $id) {`, "    id", "    ... on User { name: username posts: thoughts(first: 10) { nodes { id } } }", "  }");
  }
  return lines.join("\\n") + "\\n}\\n";
}"""
# What the main thread does; each counts once, with all that is nested in it.
WORK = {"EventDispatch", "FunctionCall", "TimerFire", "FireAnimationFrame", "UpdateLayoutTree", "Layout", "Paint", "PrePaint", "Layerize", "Commit",
        "CompositeLayers", "RunMicrotasks", "FireIdleCallback", "MinorGC", "MajorGC", "HitTest", "HandlePostMessage", "ParseHTML", "EvaluateScript",
        "IntersectionObserverController::computeIntersections"}
USABLE = """
  const observer = new MutationObserver(() => {
    if (!document.querySelector("#run svg")) return;
    observer.disconnect();
    // The frame in which the page shows it is done when a task that this frame queues runs.
    requestAnimationFrame(() => { const { port1, port2 } = new MessageChannel(); port1.onmessage = () => { globalThis.usableAfter = performance.now(); }; port2.postMessage(null); });
  });
  observer.observe(document, { childList: true, subtree: true });
"""
TYPES = {"html": "text/html", "js": "text/javascript", "css": "text/css", "json": "application/json"}


def part(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def say(what, values, bound, processor=None):
    extra = f"; of the processor p50 {part(processor, 0.5):.1f}, p95 {part(processor, 0.95):.1f}" if processor else ""
    print(f"{what}: p50 {part(values, 0.5):.1f} ms, p95 {part(values, 0.95):.1f} ms (below {bound}; {len(values)} times){extra}", flush=True)


def serve_files(context, folder, policy):
    """Answers for the page's files from a folder, with the server's policy."""
    def answer(route):
        path = urllib.parse.urlsplit(route.request.url).path
        file = folder / (path.removeprefix("/playground/") if path.startswith("/playground/") else "index.html")
        if file.is_file():
            route.fulfill(status=200, body=file.read_bytes(), headers={"Content-Type": TYPES[file.suffix[1:]], "Content-Security-Policy": policy})
        else:
            route.continue_()
    context.route(lambda url: urllib.parse.urlsplit(url).path.startswith("/playground/") or urllib.parse.urlsplit(url).path == "/", answer)


class Measurement:
    def __init__(self, browser, address, options):
        self.browser, self.address, self.options = browser, address, options

    @contextlib.contextmanager
    def page(self, schema=None):
        context = self.browser.new_context(viewport={"width": 1440, "height": 900}, permissions=["clipboard-read", "clipboard-write"])
        context.add_init_script(USABLE)
        if self.options.files:
            policy = context.request.get(self.address, headers={"Accept": "text/html"}).headers["content-security-policy"]
            serve_files(context, pathlib.Path(self.options.files), policy)
        page = context.new_page()
        if schema:
            page.route("**/graphql", lambda route: route.fulfill(status=200, content_type="application/json", body=schema if "__schema" in (route.request.post_data or "") else '{"data": {}}'))
        page.goto(self.address)
        self.usable(page)
        yield page
        context.close()

    def usable(self, page):
        while not (after := page.evaluate("globalThis.usableAfter ?? 0")):
            page.wait_for_timeout(10)
        return after

    def write(self, page, text, at=None):
        """Puts a text into the editor of the query, and the caret behind a part of it."""
        harness.write(page, text)
        page.keyboard.press("Control+Home" if at is None else "Control+End")
        page.wait_for_timeout(1_500)

    def trace(self, page, actions, pause):
        """The milliseconds of the main thread's work within 250 ms of each action, by the clock and by the processor."""
        client = self.browser.new_browser_cdp_session()
        events, finished = [], []
        client.on("Tracing.dataCollected", lambda data: events.extend(data["value"]))
        client.on("Tracing.tracingComplete", lambda data: finished.append(True))
        client.send("Tracing.start", {"categories": "devtools.timeline,blink.user_timing", "transferMode": "ReportEvents"})
        for action in actions:
            page.evaluate("performance.mark('action')")
            action()
            page.wait_for_timeout(pause)
        client.send("Tracing.end")
        while not finished:
            page.wait_for_timeout(50)
        client.detach()
        marks = sorted((event for event in events if event["name"] == "action"), key=lambda event: event["ts"])
        thread, starts = (marks[0]["pid"], marks[0]["tid"]), [event["ts"] for event in marks]
        work = sorted((event for event in events if (event["pid"], event["tid"]) == thread and event["name"] in WORK and "dur" in event),
                      key=lambda event: (event["ts"], -event["dur"]))
        wall, processor, end = [0.0] * len(starts), [0.0] * len(starts), 0
        self.parts = [{} for _ in starts]
        for event in work:
            index = bisect.bisect_right(starts, event["ts"]) - 1
            if index < 0 or event["ts"] < end or event["ts"] > starts[index] + 250_000:
                continue
            end = event["ts"] + event["dur"]
            wall[index] += event["dur"] / 1000
            processor[index] += event.get("tdur", event["dur"]) / 1000
            self.parts[index][event["name"]] = self.parts[index].get(event["name"], 0) + event["dur"] / 1000
        return wall, processor

    def show_parts(self):
        if self.options.parts:
            names = {name for parts in self.parts for name in parts}
            print("    " + ", ".join(f"{name} {sum(parts.get(name, 0) for parts in self.parts) / len(self.parts):.2f}" for name in sorted(names)))

    def keystrokes(self, count, bound):
        with self.page() as page:
            self.write(page, page.evaluate(QUERY, count))
            # A line of the text's middle.
            page.keyboard.press("Control+f")
            page.get_by_label("Search for").fill(f"node{count // 8}:")
            page.keyboard.press("Escape")
            page.keyboard.press("End")
            page.keyboard.press("Enter")
            page.keyboard.type("warm")
            page.wait_for_timeout(1_000)
            letters = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"
            wall, processor = self.trace(page, [lambda letter=letter: page.keyboard.type(letter) for letter in letters], 320)
            say(f"a keystroke in {count} lines", wall, bound, processor)
            self.show_parts()

    def loads(self, bound):
        for kind in ("empty", "full"):
            usable, schema = [], []
            with contextlib.ExitStack() as stack:
                page = stack.enter_context(self.page()) if kind == "full" else None
                for _ in range(self.options.loads):
                    if kind == "empty":
                        stack.close()
                        page = stack.enter_context(self.page())
                    else:
                        page.reload()
                    usable.append(self.usable(page))
                    # The introspection is the first that the page asks of its endpoint.
                    while not (end := page.evaluate("performance.getEntriesByType('resource').find(({ name }) => name.endsWith('/graphql'))?.responseEnd ?? 0")):
                        page.wait_for_timeout(10)
                    schema.append(end)
            say(f"usable after navigation, with {'an empty' if kind == 'empty' else 'a full'} cache", usable, bound)
            say("    its schema has arrived", schema, "no bound")

    def completions(self, bound):
        places = {
            "a field": "{ field1(of: 1) { \u00a6 } }", "a possible type": "{ anything { ... on \u00a6 } }", "an argument": "{ field7(\u00a6) { id } }",
            "a variable's type": "query Q($of: \u00a6) { id }", "a root field, typed": "{ field\u00a6 }",
        }
        with self.page(json.dumps({"data": {"__schema": large_schema(1_000)}})) as page:
            wall, processor = [], []
            for place, marked in places.items():
                before, after = marked.split("\u00a6")
                self.write(page, before + after)
                page.keyboard.press("Control+End")
                for _ in after:
                    page.keyboard.press("ArrowLeft")
                page.wait_for_timeout(800)

                def opens():
                    page.keyboard.press("Control+Space")

                for _ in range(8):
                    one, own = self.trace(page, [opens], 320)
                    assert page.locator(".editor-completion.is-open li").count() > 0, place
                    page.keyboard.press("Escape")
                    page.wait_for_timeout(50)
                    wall += one
                    processor += own
                if self.options.parts:
                    say(f"    {place}", wall[-8:], bound, processor[-8:])
            say("a completion in 1,000 types", wall, bound, processor)


def large_schema(count):
    """The introspection of a schema of `count` types that people wrote: objects, inputs and enums, each of which another one uses."""
    def name(kind, text):
        return {"kind": kind, "name": text, "ofType": None}

    def required(kind):
        return {"kind": "NON_NULL", "name": None, "ofType": kind}

    def value(text, kind, default=None):
        return {"name": text, "description": f"About {text}.", "type": kind, "defaultValue": default, "isDeprecated": False, "deprecationReason": None}

    def field(text, kind, arguments=()):
        return {"name": text, "description": f"About {text}.", "args": list(arguments), "type": kind, "isDeprecated": False, "deprecationReason": None}

    def definition(kind, text, **more):
        empty = {"specifiedByURL": None, "isOneOf": None, "fields": None, "inputFields": None, "enumValues": None, "interfaces": None, "possibleTypes": None}
        return {"kind": kind, "name": text, "description": f"A {text}.", **empty, **more}

    scalars = [definition("SCALAR", text) for text in ("ID", "Int", "Float", "String", "Boolean")]
    objects, inputs, enums = count * 6 // 10, count * 2 // 10, count * 2 // 10 - 2
    types = [definition("ENUM", f"Enum{index}", enumValues=[
        {"name": f"VALUE_{place}", "description": None, "isDeprecated": False, "deprecationReason": None} for place in range(8)]) for index in range(enums)]
    types += [definition("INPUT_OBJECT", f"Input{index}", inputFields=[
        value("of", name("SCALAR", "Int")), value("kind", name("ENUM", f"Enum{index % enums}")), value("inner", name("INPUT_OBJECT", f"Input{(index + 1) % inputs}"))])
        for index in range(inputs)]
    types += [definition("OBJECT", f"Object{index}", interfaces=[], fields=[field("id", required(name("SCALAR", "ID")))] + [
        field(f"field{place}", name("OBJECT", f"Object{(index * 7 + place) % objects}"), [value("of", name("SCALAR", "Int")), value("filter", name("INPUT_OBJECT", f"Input{place}"))])
        for place in range(10)]) for index in range(objects)]
    types.append(definition("UNION", "Anything", possibleTypes=[{"name": f"Object{index}"} for index in range(objects)]))
    types.append(definition("OBJECT", "Query", interfaces=[], fields=[field("id", name("SCALAR", "ID")), field("anything", name("UNION", "Anything"))] + [
        field(f"field{index}", name("OBJECT", f"Object{index}"), [value("of", name("SCALAR", "Int")), value("filter", name("INPUT_OBJECT", f"Input{index % inputs}"))])
        for index in range(objects)]))
    assert len(types) == count, len(types)
    return {"description": None, "queryType": {"name": "Query"}, "mutationType": None, "subscriptionType": None, "types": scalars + types, "directives": []}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    parser.add_argument("--files", default="")
    parser.add_argument("--only", default="", help="one of 500, 5000, load, complete")
    parser.add_argument("--loads", type=int, default=30)
    parser.add_argument("--parts", action="store_true", help="print what the figures are made of, too")
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    options = parser.parse_args()
    with contextlib.ExitStack() as stack:
        address = options.server if options.server.startswith("http") else stack.enter_context(harness.server(options.server))
        playwright = stack.enter_context(sync_playwright())
        # Chromium's own sandbox does not work for root, which containers run as.
        browser = playwright.chromium.launch(executable_path=options.chromium, args=["--no-sandbox"])
        measurement = Measurement(browser, address, options)
        figures = {
            "500": lambda: measurement.keystrokes(500, 12), "5000": lambda: measurement.keystrokes(5_000, 25),
            "load": lambda: measurement.loads(300), "complete": lambda: measurement.completions(30),
        }
        for name, measure in figures.items():
            if options.only in ("", name):
                measure()
        browser.close()


if __name__ == "__main__":
    main()
