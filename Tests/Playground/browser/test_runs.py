"""Running: transports, answers in parts, errors that lead to their field, files, abort, and the views of an answer."""

import hashlib
import json
import re

from playwright.sync_api import expect

from harness import answer, button, copied, drawn, eventually, run, run_by_button, server, sign_up, tab, write


def test_an_answer_with_its_figures(browser, tertulia):
    with browser.page(tertulia) as page:
        run(page)
        status = page.locator("#answer-status")
        expect(status).to_contain_text("200 OK")
        expect(status).to_contain_text(re.compile(r"\d ms"))
        expect(status).to_contain_text(re.compile(r"\d (B|KiB)"))
        tab(page, "Response").click()
        expect(page.locator(".is-response")).to_contain_text("content-type")
        expect(page.locator(".is-response")).to_contain_text("ms")


def test_the_operation_at_the_caret_runs(browser, example):
    with browser.page(example) as page:
        write(page, "query One { getValue }\n\nquery Two { hello }\n")
        page.keyboard.press("Control+End")
        page.keyboard.press("ArrowUp")
        run(page)
        assert json.loads(answer(page))["data"] == {"hello": "Hello world"}
        page.get_by_label("Operation", exact=True).select_option("One")
        run_by_button(page)
        assert json.loads(answer(page))["data"] == {"getValue": "value"}


def test_operations_without_names_run_too(browser, example):
    with browser.page(example) as page:
        write(page, "{ getValue }\n\nquery Two { hello }\n")
        page.keyboard.press("Control+Home")
        run(page)
        assert json.loads(answer(page))["data"] == {"getValue": "value"}


def test_broken_variables_take_the_old_result_away(browser, example):
    with browser.page(example) as page:
        write(page, "query Q($n: String) { hello(name: $n) }")
        write(page, '{"n": "a"}', "Variables")
        run(page)
        assert json.loads(answer(page))["data"] == {"hello": "Hello a"}
        write(page, '{"n": ', "Variables")
        run(page)
        expect(page.locator(".empty.problem")).to_contain_text("The variables are not JSON")
        expect(page.locator(".is-text pre")).to_be_hidden()


def test_an_error_leads_to_its_field(browser, example):
    with browser.page(example) as page:
        write(page, "query Q {\n" + "  getValue\n" * 60 + "  maybe\n}\n")
        run(page)
        link = button(page, "Query 62:3")
        expect(link).to_be_visible()
        link.click()
        place = page.evaluate("document.activeElement.getAttribute('aria-label')")
        assert place == "Query", place
        button(page, "Answer maybe").click()
        expect(page.locator(".tree-row.revealed .tree-key")).to_have_text("maybe")
        expect(page.locator(".tree-row.revealed")).to_be_in_viewport()


def test_deferred_parts_fill_in(browser, tertulia):
    with browser.page(tertulia) as page:
        page.get_by_role("button", name="Comments that arrive later").click()
        sign_up(page, "writer")
        write(page, 'mutation M { createThought(input: {category: FUNNY, text: "A thread"}) { thought { id } } }')
        run(page)
        assert "thought_" in answer(page)
        write(page, "query T { feed(first: 5) { nodes { id ... @defer { comments(first: 3) { nodes { text } } } } } }")
        run(page)
        expect(page.locator("#answer-status")).to_contain_text(re.compile(r"\d parts"))
        nodes = json.loads(answer(page))["data"]["feed"]["nodes"]
        assert nodes and all("comments" in node for node in nodes), nodes


def test_subscriptions_by_websocket_and_by_events(browser, example):
    with browser.page(example) as page:
        write(page, "subscription Down { countdown(from: 5) }")
        for transport, status in [("websocket", "101"), ("sse", "200")]:
            page.get_by_label("Events over").select_option(transport)
            run_by_button(page)
            expect(page.locator("#answer-status")).to_contain_text("6 events")
            expect(page.locator("#answer-status")).to_contain_text(status)
            expect(page.locator("#answer-status")).to_contain_text("completed")
            expect(page.locator(".events li")).to_have_count(6)


def test_a_subscription_ends_when_stopped(browser, example):
    with browser.page(example) as page:
        write(page, "subscription Late { lateReturn }")
        run_by_button(page)
        expect(page.locator("#answer-status")).to_contain_text("Live")
        button(page, "Stop").click()
        expect(page.locator("#answer-status")).to_contain_text("Stopped")
        expect(button(page, "Run")).to_be_visible()


def test_a_refused_subscription_tells_the_reason(browser, example):
    with browser.page(example) as page:
        write(page, "subscription No { subscribeThrowing }")
        run_by_button(page)
        expect(page.locator("#errors")).to_contain_text("Kaboom!")


def pong(page, key):
    """Makes the example server send an event to whoever subscribed to `ping` with this key."""
    page.evaluate("""(key) => fetch('/graphql', { method: 'POST', headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ query: 'mutation P($key: String!) { pong(key: $key) }', variables: { key } }) })""", key)


def test_events_pause_filter_and_replay(browser, example):
    with browser.page(example) as page:
        events = page.locator(".events li")
        write(page, 'subscription Ping { ping(key: "paused") }')
        run_by_button(page)
        pong(page, "paused")
        expect(page.locator("#answer-status")).to_contain_text("1 event")
        drawn(page)
        button(page, "Pause").click()
        pong(page, "paused")
        pong(page, "paused")
        expect(page.locator("#answer-status")).to_contain_text("3 events")
        drawn(page)
        assert events.count() == 1
        button(page, "Resume").click()
        expect(events).to_have_count(3)
        button(page, "Stop").click()
        write(page, "subscription Down { countdown(from: 40) }")
        run_by_button(page)
        expect(events).to_have_count(41)
        page.get_by_label("Filter events").fill('"countdown":7')
        expect(events).to_have_count(1)
        page.locator(".event-head").click()
        expect(page.locator(".events pre")).to_contain_text('"countdown": 7')


def test_a_file_is_dropped_on_its_variable(browser, example):
    with browser.page(example) as page:
        write(page, "mutation Up($file: Upload!) { singleUpload(file: $file) { filename size sha256 } }")
        tab(page, "Files", exact=False).click()
        zone = page.locator(".drop")
        expect(zone).to_contain_text("$file")
        transfer = page.evaluate_handle("""() => {
            const transfer = new DataTransfer();
            transfer.items.add(new File(['a small file'], 'small.txt', { type: 'text/plain' }));
            return transfer;
        }""")
        zone.dispatch_event("drop", {"dataTransfer": transfer})
        expect(zone).to_contain_text("small.txt (12 bytes)")
        run(page)
        file = json.loads(answer(page))["data"]["singleUpload"]
        assert file == {"filename": "small.txt", "size": 12, "sha256": hashlib.sha256(b"a small file").hexdigest()}, file


def test_the_tree_folds_finds_and_copies(browser, example):
    with browser.page(example) as page:
        write(page, "{ users(first: 25) { edges { node { id name age } } } }")
        run(page)
        answer(page)
        tab(page, "Tree").click()
        drawn(page)
        rows = page.get_by_role("treeitem")
        button(page, "Unfold all").click()
        drawn(page)
        whole = rows.count()
        assert whole > 100, whole
        button(page, "Fold all").click()
        drawn(page)
        assert rows.count() < 5
        page.get_by_label("Search the answer").fill('"age": 24'.split()[-1])
        expect(page.locator(".tree-row.revealed")).to_contain_text("24")
        page.locator(".tree-row.revealed").hover()
        path = copied(page, page.locator(".tree-row.revealed .tree-copy").click)
        assert re.fullmatch(r"data\.users\.edges\[\d+\]\.node\.\w+", path), path
        rows.first.focus()
        page.keyboard.press("ArrowLeft")
        expect(rows.first).to_have_attribute("aria-expanded", "false")
        page.keyboard.press("ArrowRight")
        expect(rows.first).to_have_attribute("aria-expanded", "true")


def test_a_list_is_a_table_that_sorts(browser, example):
    with browser.page(example) as page:
        write(page, "{ users(first: 25) { edges { node { name age } } } }")
        run(page)
        tab(page, "Table").click()
        table = page.locator(".is-table table")
        expect(table.locator("tbody tr")).to_have_count(25)
        table.get_by_role("button", name="node.age").click()
        table.get_by_role("button", name="node.age").click()
        expect(table.locator("tbody tr").first).to_contain_text("44")
        lines = copied(page, button(page, "Copy as CSV").click).splitlines()
        assert lines[0] == "node.name,node.age" and len(lines) == 26, lines[:2]


def test_cost_and_depth_before_a_run(browser, tertulia):
    with browser.page(tertulia) as page:
        write(page, "query F { feed(first: 100) { nodes { id author { id } } } }")
        figures = page.locator("#cost")
        expect(figures).to_contain_text(re.compile(r"depth\s*4\s*/12"))
        expect(figures).to_contain_text(re.compile(r"cost\s*\d+\s*/2000"))
        expect(page.locator("#answer-status")).to_be_hidden()


def ask_for_plans(page):
    page.keyboard.press("Control+k")
    page.get_by_role("combobox").fill("plan of runs")
    page.keyboard.press("Enter")


def test_the_statements_of_a_run_as_a_waterfall(browser, tertulia):
    with browser.page(tertulia) as page:
        sign_up(page, "planner")
        write(page, "{ feed(first: 2) { nodes { id author { username } } } viewer { user { username } } }")
        run(page)
        assert "planner" in answer(page)
        expect(tab(page, "Plan")).to_be_hidden()
        ask_for_plans(page)
        run(page)
        tab(page, "Plan").click()
        steps = page.locator("table.plan tbody tr")
        expect(steps.filter(has_text="CurrentViewer")).to_contain_text("viewer")
        expect(steps.first.locator(".plan-bar")).to_have_count(1)
        expect(page.locator("table.plan caption")).to_contain_text(re.compile(r"\d steps?, \d"))
        expect(page.locator("table.plan")).not_to_contain_text("select")
        ask_for_plans(page)
        run(page)
        expect(tab(page, "Plan")).to_be_hidden()


def test_a_plan_is_refused_to_strangers_where_introspection_is_open(browser, binary):
    with server(binary, PRODUCTION="true", MAIL="files", INTROSPECTION="all") as address, browser.page(address) as page:
        write(page, "{ feed(first: 2) { nodes { id } } }")
        ask_for_plans(page)
        run(page)
        expect(page.locator("#errors")).to_contain_text("FORBIDDEN")
        ask_for_plans(page)
        run(page)
        assert '"feed"' in answer(page)


def test_a_mutation_is_not_run_by_its_check(browser, tertulia):
    with browser.page(tertulia) as page:
        sign_up(page, "checker")
        mutation = 'mutation M { createThought(input: {category: FUNNY, text: "Only checked"}) { thought { id } } }'
        with page.expect_response(lambda response: "Only checked" in (response.request.post_data or "")) as checked:
            write(page, mutation)
        assert "cost" in checked.value.json()["extensions"], checked.value.text()
        write(page, '{ feed(first: 20) { nodes { ... on Thought { text } } } }')
        run(page)
        assert "Only checked" not in answer(page)


def test_headers_are_sent(browser, tertulia):
    with browser.page(tertulia) as page:
        tab(page, "Headers").click()
        write(page, "Authorization: Bearer nonsense", "Headers")
        run(page)
        expect(page.locator("#errors")).to_contain_text("UNAUTHENTICATED")


def test_the_network_is_down(browser, example):
    with browser.page(example) as page:
        page.route("**/graphql", lambda route: route.abort())
        run(page)
        expect(page.locator("#answer-status")).to_contain_text("cannot be reached")
        page.unroute("**/graphql")
        page.keyboard.press("Control+k")
        page.get_by_role("combobox").fill("run again")
        page.keyboard.press("Enter")
        eventually(lambda: "200 OK" in page.locator("#answer-status").text_content(), "a retry answers")
