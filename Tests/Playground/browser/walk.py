"""From the first load to a list that changes by one's own second session, in at most 12 actions by visible labels."""

import os

from playwright.sync_api import expect


def test_twelve_actions_to_a_live_list(browser, tertulia, pictures):
    with browser.page(tertulia) as page:
        actions = []

        def act(what, action):
            actions.append(what)
            action()
            if pictures:
                page.wait_for_timeout(400)
                page.screenshot(path=os.path.join(pictures, f"walk-{len(actions):02}.png"))

        def click(name):
            act(f"click {name}", lambda: page.get_by_role("button", name=name, exact=True).or_(page.get_by_role("tab", name=name, exact=True)).last.click())

        def fill(label, text):
            act(f"fill {label}", lambda: page.get_by_label(label).fill(text))

        click("Guest")
        expect(page.locator("#sessions .chip-more")).to_have_count(1)
        act("click Watch the feed live", lambda: page.get_by_text("Watch the feed live").click())
        click("Run")
        expect(page.locator("#answer-status")).to_contain_text("Live")
        click("Sign up")
        fill("Username", "walker")
        fill("E-mail", "walker@example.org")
        fill("Password", "a long quiet evening")
        click("Sign up")
        act("click Post a thought", lambda: page.get_by_text("Post a thought").click())
        click("Run")
        click("Watch the feed live")
        expect(page.locator("table.live")).to_contain_text("Hello, tertulia.")
        expect(page.locator("table.live")).to_contain_text("ADDED")
        assert len(actions) <= 12, actions
        if pictures:
            page.screenshot(path=os.path.join(pictures, "walk-12-list.png"))
