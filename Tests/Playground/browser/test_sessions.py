"""Sessions: opened by the server's description, several at once, refreshed by one holder, and never shown unasked."""

import json
import re

from playwright.sync_api import expect

from harness import answer, be_guest, button, eventually, open_panel, run, run_by_button, server, sign_up, tab, write


def test_sign_up_sign_out_and_sign_in(browser, tertulia):
    with browser.page(tertulia) as page:
        sign_up(page, "ana")
        write(page, "{ viewer { user { username } } }")
        run(page)
        assert '"ana"' in answer(page)
        page.get_by_role("button", name="Session of ana").click()
        page.get_by_role("menuitem", name="Sign out").click()
        expect(button(page, "ana")).to_have_count(0)
        run(page)
        assert json.loads(answer(page))["data"] == {"viewer": None}
        button(page, "Sign in").click()
        page.get_by_label("E-mail or username").fill("ana")
        page.get_by_label("Password").fill("wrong wrong wrong")
        page.get_by_role("dialog").get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("alert")).not_to_be_empty()
        page.get_by_label("Password").fill("a long quiet evening")
        page.keyboard.press("Enter")
        expect(button(page, "ana")).to_have_attribute("aria-pressed", "true")


def test_several_sessions_see_their_difference(browser, tertulia):
    with browser.page(tertulia) as page:
        be_guest(page)
        sign_up(page, "ben")
        write(page, "{ viewer { isAnonymous user { displayName } } }")
        button(page, "Compare").click()
        rows = page.locator(".comparison tbody tr")
        expect(rows).to_have_count(2)
        expect(page.locator(".comparison thead")).to_contain_text("as ben")
        expect(page.get_by_role("rowheader", name="data.viewer.isAnonymous")).to_be_visible()
        write(page, "mutation M { signOut { clientMutationId } }")
        button(page, "Compare").click()
        expect(page.locator(".empty.problem")).to_contain_text("Only a query")


def test_a_pasted_token_works_with_its_scheme(browser, tertulia):
    with browser.page(tertulia) as page:
        token = page.evaluate("""async () => {
            const response = await fetch('/graphql', { method: 'POST', headers: { 'Content-Type': 'application/json' },
                body: JSON.stringify({ query: 'mutation { signInAnonymously { accessToken } }' }) });
            return (await response.json()).data.signInAnonymously.accessToken;
        }""")
        button(page, "Token").click()
        page.get_by_label("Access token").fill(f"Bearer {token}")
        button(page, "Use it").click()
        write(page, "{ viewer { isAnonymous } }")
        run(page)
        assert json.loads(answer(page))["data"] == {"viewer": {"isAnonymous": True}}


def test_tokens_are_shown_only_on_request_and_kept_for_the_tab(browser, tertulia):
    with browser.page(tertulia) as page:
        sign_up(page, "cleo")
        token = page.evaluate("JSON.parse(sessionStorage.getItem('playground.sessions')).all[0].token")
        assert token not in page.content()
        assert token not in page.evaluate("JSON.stringify(localStorage)")
        page.reload()
        expect(button(page, "cleo")).to_have_attribute("aria-pressed", "true")
        page.get_by_role("button", name="Session of cleo").click()
        page.get_by_role("menuitem", name="Show the token").click()
        expect(page.locator("pre.token")).to_have_text(token)


def test_one_holder_refreshes_for_both_tabs(browser, tertulia):
    with browser.page(tertulia) as page:
        sign_up(page, "dora")
        refreshes = []
        page.context.on("request", lambda request: refreshes.append(request) if "refreshSession" in (request.post_data or "") else None)
        # A duplicated tab begins with a copy of the first one's storage. Its token is made to end soon.
        copied = page.evaluate("""() => {
            const stored = JSON.parse(sessionStorage.getItem('playground.sessions'));
            stored.all[0].expires = Date.now() + 3_000;
            return JSON.stringify(stored);
        }""")
        page.evaluate("(copied) => sessionStorage.setItem('playground.sessions', copied)", copied)
        other = page.context.new_page()
        other.add_init_script(f"if (!sessionStorage.length) sessionStorage.setItem('playground.sessions', {json.dumps(copied)})")
        page.reload()
        other.goto(tertulia)
        token = "JSON.parse(sessionStorage.getItem('playground.sessions')).all[0].token"
        old = json.loads(copied)["all"][0]["token"]
        eventually(lambda: page.evaluate(token) != old and other.evaluate(token) == page.evaluate(token), "both tabs have the new token")
        write(other, "{ viewer { user { username } } }")
        run(other)
        assert '"dora"' in answer(other)
        assert len(refreshes) == 1, len(refreshes)


def test_a_live_list_follows_another_session(browser, tertulia):
    with browser.page(tertulia) as page:
        be_guest(page)
        page.get_by_role("button", name="Watch the feed live").click()
        run_by_button(page)
        expect(page.locator("#answer-status")).to_contain_text("Live")
        sign_up(page, "emil")
        page.get_by_role("button", name="Post a thought").click()
        run(page)
        posted = json.loads(answer(page))["data"]["createThought"]["thought"]["id"]
        tab(page, "Watch the feed live").click()
        row = page.locator("table.live tbody tr", has_text=posted)
        expect(row).to_contain_text("ADDED")
        tab(page, "Post a thought").click()
        write(page, f'mutation L {{ likeThought(input: {{thoughtId: "{posted}"}}) {{ thought {{ likeCount }} }} }}')
        run(page)
        assert '"likeCount": 1' in answer(page)
        tab(page, "Watch the feed live").click()
        expect(row).to_contain_text("CHANGED")
        page.get_by_role("tab").nth(2).click()
        write(page, f'mutation D {{ deleteThought(input: {{id: "{posted}"}}) {{ userErrors {{ message }} }} }}')
        run(page)
        answer(page)
        tab(page, "Watch the feed live").click()
        expect(row).to_have_count(0)
        tab(page, "Events").click()
        expect(page.locator(".events .kind-added")).to_have_count(1)
        expect(page.locator(".events .kind-changed")).to_have_count(1)
        expect(page.locator(".events .kind-removed")).to_have_count(1)
        expect(page.locator(".events .cursor").first).not_to_be_empty()
        page.get_by_label("Kind of change").select_option("REMOVED")
        expect(page.locator(".events li")).to_have_count(1)
        page.get_by_label("Kind of change").select_option("ADDED")
        button(page, "Replay").click()
        expect(row).to_contain_text("ADDED")


def test_a_refusal_is_explained(browser, tertulia):
    with browser.page(tertulia) as page:
        sign_up(page, "fred")
        page.get_by_role("button", name="Post a thought").click()
        run(page)
        posted = json.loads(answer(page))["data"]["createThought"]["thought"]["id"]
        sign_up(page, "gina")
        write(page, f'mutation D {{ deleteThought(input: {{id: "{posted}"}}) {{ userErrors {{ message }} }} }}')
        run(page)
        button(page, "Why was this refused?").click()
        write(page, json.dumps({"id": posted, "action": "DELETE"}), "Variables")
        run(page)
        assert '"allowed": false' in answer(page)


def test_a_closed_schema_opens_after_signing_in(browser, binary):
    with server(binary, INTROSPECTION="members") as address, browser.page(address) as page:
        open_panel(page, "Documentation")
        expect(page.locator("#side-docs")).to_contain_text("does not show its schema")
        write(page, "{ __typename }")
        run(page)
        assert '"Query"' in answer(page)
        sign_up(page, "hana")
        expect(page.locator("#side-docs")).to_contain_text(re.compile(r"Objects \(\d+\)"))
