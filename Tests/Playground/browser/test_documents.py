"""Tabs, history, saved and shared operations, code: what is kept, and what must never be."""

import json
import os
import subprocess
import tempfile

from playwright.sync_api import expect

from harness import answer, button, copied, open_panel, read, run, run_by_button, sign_up, tab, write

SECRET = "correct-horse-battery-9731"


def test_tabs_outlive_a_reload(browser, example):
    with browser.page(example) as page:
        write(page, "query First { getValue }")
        button(page, "New tab").click()
        write(page, "query Second { hello }")
        expect(tab(page, "Second")).to_be_visible()
        page.reload()
        expect(tab(page, "Second")).to_have_attribute("aria-selected", "true")
        assert read(page).strip() == "query Second { hello }"
        tab(page, "First").click()
        assert read(page).strip() == "query First { getValue }"


def test_each_tab_keeps_its_answer_and_undo(browser, example):
    with browser.page(example) as page:
        write(page, "query First { getValue }")
        run(page)
        assert "getValue" in answer(page)
        button(page, "New tab").click()
        expect(page.locator("#answer-status")).to_be_hidden()
        tab(page, "First").click()
        expect(page.locator(".is-text pre")).to_contain_text("getValue")


def test_secrets_are_stored_nowhere(browser, tertulia):
    with browser.page(tertulia) as page:
        write(page, f'mutation S($login: String!, $password: String!) {{ signIn(input: {{login: $login, password: $password}}) {{ accessToken }} a: signIn(input: {{login: "x", password: "{SECRET}"}}) {{ accessToken }} }}')
        write(page, json.dumps({"login": "nobody", "password": SECRET}), "Variables")
        tab(page, "Headers").click()
        write(page, f"X-Api-Key: {SECRET}", "Headers")
        run(page)
        answer(page)
        page.keyboard.press("Control+k")
        page.get_by_role("combobox").fill("save operation")
        page.keyboard.press("Enter")
        page.get_by_role("dialog").get_by_role("button", name="Save").click()
        expect(page.get_by_role("dialog")).to_have_count(0)
        open_panel(page, "History")
        expect(page.locator("#side-history .card")).to_have_count(1)
        # A page that goes stores what it has not stored yet.
        page.reload()
        for storage in ("localStorage", "sessionStorage"):
            assert SECRET not in page.evaluate(f"JSON.stringify({storage})"), storage
        assert "nobody" in page.evaluate("JSON.stringify(localStorage)")
        assert SECRET not in page.url and "#" not in page.url


def test_nothing_is_written_to_the_address_by_typing(browser, example):
    with browser.page(example) as page:
        before = page.url
        write(page, "query Q { hello(name: \"x\") }")
        run(page)
        answer(page)
        assert page.url == before


def test_history_is_searched_and_opened(browser, example):
    with browser.page(example) as page:
        for name in ("Alpha", "Beta"):
            write(page, f"query {name} {{ getValue }}")
            run(page)
            answer(page)
            expect(page.locator("#answer-status")).to_contain_text("200 OK")
        open_panel(page, "History")
        expect(page.locator("#side-history .card")).to_have_count(2)
        page.get_by_label("Search the history").fill("alp")
        expect(page.locator("#side-history .card")).to_have_count(1)
        page.locator("#side-history .card button").first.click()
        assert "query Alpha" in read(page)


def test_an_operation_is_saved_and_opened(browser, example):
    with browser.page(example) as page:
        write(page, "query Kept { hello }")
        button(page, "Save").click()
        page.get_by_label("Name").fill("My greeting")
        page.get_by_role("dialog").get_by_role("button", name="Save").click()
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.evaluate("sessionStorage.clear()")
        page.goto("about:blank")
        page.goto(example)
        open_panel(page, "Saved operations")
        page.locator("#side-saved .card button").first.click()
        assert "query Kept" in read(page)


def test_a_shared_link_opens_without_its_secrets(browser, example):
    with browser.page(example) as page:
        write(page, "query Shared($password: String) { hello(name: $password) }")
        write(page, json.dumps({"password": SECRET}), "Variables")
        button(page, "Share").click()
        link = copied(page, button(page, "Copy the link").click)
        with browser.page(example, link.removeprefix(example)) as other:
            assert "query Shared" in read(other)
            assert SECRET not in read(other, "Variables")
            assert "#" not in other.url
        button(page, "Share").click()
        page.get_by_label("Include values that look secret", exact=False).check()
        link = copied(page, button(page, "Copy the link").click)
        with browser.page(example, link.removeprefix(example)) as other:
            assert SECRET in read(other, "Variables")


def test_code_for_the_operation_runs(browser, example):
    with browser.page(example) as page:
        write(page, "query Code($name: String) { hello(name: $name) }")
        write(page, json.dumps({"name": "it's \"quoted\" $HOME"}), "Variables")
        button(page, "Code").click()
        codes = {}
        for language in ("curl", "fetch", "Swift", "Python"):
            page.get_by_label("Language").select_option(language)
            codes[language] = page.get_by_role("dialog").locator("pre").text_content()
        expected = {"hello": "Hello it's \"quoted\" $HOME"}
        curl = subprocess.run(["bash", "-c", codes["curl"]], capture_output=True, text=True)
        assert json.loads(curl.stdout)["data"] == expected, (codes["curl"], curl)
        python = subprocess.run(["python3", "-c", codes["Python"]], capture_output=True, text=True)
        assert str(expected) in python.stdout, (codes["Python"], python)
        fetched = page.evaluate(f"async () => {{ {codes['fetch']}; return data; }}")
        assert fetched == expected, fetched
        assert "URLRequest" in codes["Swift"]
        if os.path.exists("/opt/swift/usr/bin/swiftc"):
            with tempfile.NamedTemporaryFile("w", suffix=".swift") as file:
                file.write(codes["Swift"])
                file.flush()
                parsed = subprocess.run(["/opt/swift/usr/bin/swiftc", "-frontend", "-parse", file.name], capture_output=True, text=True)
                assert parsed.returncode == 0, parsed.stderr


def test_every_example_runs(browser, tertulia):
    with browser.page(tertulia) as page:
        sign_up(page, "exam")
        titles = page.locator("#side-examples .card b").all_text_contents()
        assert len(titles) >= 6, titles
        for title in titles:
            page.locator("#side-examples .card button", has_text=title).click()
            if "Upload" in title or "Why" in title:
                continue
            run_by_button(page)
            status = page.locator("#answer-status")
            expect(status.locator(".status-dot.good").or_(status.get_by_text("Live", exact=True))).to_be_visible()
            expect(page.locator("#errors")).to_be_hidden()


def new_environment(page, name, values):
    tab(page, "Environment", exact=False).click()
    button(page, "New environment").click()
    page.get_by_label("Name of the environment").fill(name)
    button(page, "Create").click()
    for index, (key, value) in enumerate(values.items()):
        row = page.locator(".environment tbody tr").nth(index)
        row.get_by_label("Name", exact=True).fill(key)
        row.get_by_label(f"Value of {key}").fill(value)


def test_an_environment_fills_in_variables_and_headers(browser, example):
    with browser.page(example) as page:
        new_environment(page, "local", {"who": "Ana \"A\"", "count": "2"})
        new_environment(page, "other", {"who": "Ben", "count": "3"})
        write(page, "query Q($name: String, $first: Int!) { hello(name: $name) users(first: $first) { edges { node { id } } } }")
        tab(page, "Variables").click()
        # The server is asked for the figures after the page has checked the variables.
        with page.expect_response(lambda response: "Ben" in (response.request.post_data or "")):
            write(page, json.dumps({"name": "{{who}}", "first": "{{ count }}"}), "Variables")
        tab(page, "Headers").click()
        write(page, "X-Who: {{who}}", "Headers")
        sent = []
        page.on("request", lambda request: sent.append(request) if "query Q" in (request.post_data or "") and "check" not in request.post_data else None)
        run(page)
        data = json.loads(answer(page))["data"]
        assert (data["hello"], len(data["users"]["edges"])) == ("Hello Ben", 3), data
        assert sent[-1].headers["x-who"] == "Ben"
        expect(page.locator("#variables .has-error")).to_have_count(0)
        tab(page, "Environment", exact=False).click()
        page.get_by_label("Environment in use").select_option("local")
        run(page)
        assert json.loads(answer(page))["data"]["hello"] == 'Hello Ana "A"'
        open_panel(page, "History")
        page.reload()
        page.locator("#run svg").wait_for()
        assert "{{who}}" in read(page, "Variables")
        tab(page, "Environment", exact=False).click()
        expect(page.get_by_label("Value of who")).to_have_value('Ana "A"')
        page.get_by_label("Environment in use").select_option("No environment")
        run(page)
        expect(page.locator(".empty.problem")).to_contain_text("No environment is chosen that has values for {{who}}, {{count}}")
        page.get_by_label("Environment in use").select_option("local")
        button(page, "Delete it").click()
        expect(page.get_by_label("Environment in use").locator("option")).to_have_text(["No environment", "other"])


def test_secrets_of_an_environment_last_as_long_as_the_tab(browser, example):
    with browser.page(example) as page:
        new_environment(page, "local", {"api_key": SECRET, "plain": "seen"})
        expect(page.get_by_label("api_key is secret")).to_be_checked()
        expect(page.get_by_label("Value of api_key")).to_have_attribute("type", "password")
        write(page, "query Q($a: String) { hello(name: $a) }")
        tab(page, "Variables").click()
        write(page, json.dumps({"a": "{{api_key}}"}), "Variables")
        run(page)
        assert SECRET in answer(page)
        button(page, "Code").click()
        expect(page.get_by_role("dialog").locator("pre")).to_contain_text("{{api_key}}")
        page.keyboard.press("Escape")
        page.reload()
        page.locator("#run svg").wait_for()
        assert SECRET not in page.evaluate("JSON.stringify(localStorage)")
        tab(page, "Environment", exact=False).click()
        expect(page.get_by_label("Value of api_key")).to_have_value(SECRET)
        with page.context.new_page() as other:
            other.goto(example)
            other.locator("#run svg").wait_for()
            tab(other, "Environment", exact=False).click()
            other.get_by_label("Environment in use").select_option("local")
            expect(other.get_by_label("Value of plain")).to_have_value("seen")
            expect(other.get_by_label("Value of api_key")).to_have_value("")
            write(other, "query Q($a: String) { hello(name: $a) }")
            tab(other, "Variables").click()
            write(other, json.dumps({"a": "{{api_key}}"}), "Variables")
            run(other)
            expect(other.locator(".empty.problem")).to_contain_text("A secret lasts as long as its browser tab")
