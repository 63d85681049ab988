"""Blocking and reporting."""

from .person import expect, say


def block(ana, zoe, thought):
    read = "query ($id: ID!, $user: ID!) { thought(id: $id) { id } user(by: { id: $user }) { id } }"
    ana.do("blockUser", "user { viewerHasBlocked }", userId=zoe.id)
    hidden = zoe.ask(read, id=thought, user=ana.id)
    expect(hidden == {"thought": None, "user": None}, f"a blocked person sees {hidden}")
    zoe.refused("likeThought", "NOT_FOUND", thoughtId=thought)
    found = zoe.ask("query ($n: String!) { search(query: $n) { nodes { __typename } } }", n=ana.username)
    expect(found["search"]["nodes"] == [], f"a blocked person found {found}")
    blocked = ana.ask("{ viewer { blockedUsers { nodes { id } } } }")["viewer"]["blockedUsers"]["nodes"]
    expect(blocked == [{"id": zoe.id}], f"blocked: {blocked}")
    ana.do("unblockUser", "user { viewerHasBlocked }", userId=zoe.id)
    expect(zoe.ask(read, id=thought, user=ana.id)["thought"], "unblocked, Zoe still sees nothing")
    say("Ana blocked Zoe, who saw nothing of her, and unblocked her.")


def report(ana, ben, thought):
    mine = ben.do("reportContent", "report { id status }", subjectId=thought, reason="OTHER", note="A try.")["report"]
    expect(mine["status"] == "OPEN", f"report: {mine}")
    ben.refused("resolveReport", "FORBIDDEN", id=mine["id"], removeContent=True)
    answer = ana.answer("{ reports { nodes { id } } }")
    expect(answer["errors"][0]["extensions"]["code"] == "FORBIDDEN", f"reports: {answer}")
    rule = ben.ask("query ($id: ID!) { explainAccess(id: $id, action: UPDATE) { allowed rule reason } }", id=thought)
    expect(rule["explainAccess"]["allowed"] is False, f"explainAccess: {rule}")
    ben.refused("suspendUser", "FORBIDDEN", userId=ana.id, until="2099-01-01T00:00:00Z", reason="OTHER")
    ben.refused("unsuspendUser", "FORBIDDEN", userId=ana.id)
    say("Ben reported the thought; only moderators may look at reports, and suspend people.")
