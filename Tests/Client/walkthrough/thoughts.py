"""Writing, reading and judging thoughts, and talking below them."""

import uuid

from patience import eventually

from .person import Person, expect, fetch, say

COUNTS = "likeCount commentCount shareCount rating { count total average }"


def write(ana, ben):
    """A draft that nobody else sees, then a thought that everybody does."""
    word = f"w{uuid.uuid4().hex[:10]}"
    draft = ana.do(
        "createThought", "thought { id status publishedAt }", category="FUNNY", title="First light",
        text=f"The kettle knows {word}.", status="DRAFT")["thought"]
    thought = draft["id"]
    read = "query ($id: ID!) { thought(id: $id) { id text status author { username } } }"
    expect(draft["status"] == "DRAFT" and draft["publishedAt"] is None, f"draft: {draft}")
    expect(ben.ask(read, id=thought)["thought"] is None, "Ben sees Ana's draft")
    ben.refused("updateThought", "NOT_FOUND", id=thought, text="Mine now.")
    ana.do("publishThought", "thought { publishedAt }", id=thought)
    seen = ben.ask(read, id=thought)["thought"]
    expect(seen["author"]["username"] == ana.username, f"Ben sees {seen}")
    ben.refused("updateThought", "FORBIDDEN", id=thought, text="Mine now.")
    ben.refused("deleteThought", "FORBIDDEN", id=thought)
    ana.do("updateThought", "thought { text }", id=thought, text=f"The kettle knew {word}.")
    feed = ben.ask("{ feed(first: 5) { nodes { id ... on Thought { text } } } }")["feed"]["nodes"]
    expect({"id": thought, "text": f"The kettle knew {word}."} in feed, "the feed does not begin with it")
    mine = ana.ask("{ viewer { thoughts(status: PUBLISHED) { nodes { id } } user { thoughts { nodes { id } } } } }")
    expect(mine["viewer"]["thoughts"]["nodes"] == [{"id": thought}], "Ana's own list lacks it")
    listed = ben.ask(
        "query ($id: ID!) { thoughts(filter: { authorId: $id }) { nodes { id } } node(id: $id) { id } nodes(ids: [$id]) { id } }",
        id=ana.id)
    expect(listed["thoughts"]["nodes"] == [{"id": thought}] and listed["node"]["id"] == ana.id, f"lists: {listed}")
    ana.do("unpublishThought", "thought { status }", id=thought)
    expect(ben.ask(read, id=thought)["thought"] is None, "Ben sees what is a draft again")
    ana.do("publishThought", "thought { status }", id=thought)
    say("Ana drafted, published, edited, hid and showed a thought; Ben could read it and no more.")
    return thought, word


def judge(ana, ben, thought):
    for _ in range(2):
        ben.do("likeThought", "thought { likeCount }", thoughtId=thought)
    ben.do("rateThought", "thought { id }", thoughtId=thought, stars=2)
    ben.do("rateThought", "thought { id }", thoughtId=thought, stars=5)
    ana.do("rateThought", "thought { id }", thoughtId=thought, stars=4)
    ben.do("saveThought", "thought { viewerHasSaved }", thoughtId=thought)
    url = ben.do("shareThought", "url thought { shareCount }", thoughtId=thought)["url"]
    counted = counts(ana, thought)
    rating = {"count": 2, "total": 9, "average": 4.5}
    expect(counted == {"likeCount": 1, "commentCount": 0, "shareCount": 1, "rating": rating}, f"counts: {counted}")
    status, _, page = fetch(ana.server.address + "/thoughts/" + url.rsplit("/", 1)[1])
    expect(status == 200 and b"og:title" in page and b"First light" in page, f"the public page: HTTP {status}")
    marks = ben.ask(
        """query ($id: ID!) { thought(id: $id) { viewerHasLiked viewerHasSaved viewerRating likers { nodes { id } } }
           viewer { savedThoughts { nodes { id } } likedThoughts { nodes { id } } } }""", id=thought)
    expect(marks["thought"]["likers"]["nodes"] == [{"id": ben.id}], f"likers: {marks}")
    expect(marks["thought"]["viewerRating"] == 5 and marks["thought"]["viewerHasSaved"], f"marks: {marks}")
    expect(marks["viewer"]["savedThoughts"]["nodes"] == [{"id": thought}], f"saved: {marks}")
    for order in ["NEWEST", "MOST_LIKED", "BEST_RATED", "MOST_DISCUSSED"]:
        ben.ask("query ($order: ThoughtOrder!) { thoughts(order: $order, first: 3) { nodes { id } } }", order=order)
    # What is taken back before its author was told of it is told to nobody.
    told = "{ viewer { notifications { nodes { kind } } } }"
    eventually(
        "what tells Ana of the rating", lambda: {"kind": "RATING"} in ana.ask(told)["viewer"]["notifications"]["nodes"])
    ben.do("unlikeThought", "thought { id }", thoughtId=thought)
    ben.do("unrateThought", "thought { id }", thoughtId=thought)
    ben.do("unsaveThought", "thought { id }", thoughtId=thought)
    counted = counts(ana, thought)
    rating = {"count": 1, "total": 4, "average": 4.0}
    expect(counted == {"likeCount": 0, "commentCount": 0, "shareCount": 1, "rating": rating}, f"counts: {counted}")
    ben.do("likeThought", "thought { id }", thoughtId=thought)
    say("Ben liked, rated, saved and shared it, and took three of these back; every count is exact.")


def counts(person, thought):
    return person.ask(f"query ($id: ID!) {{ thought(id: $id) {{ {COUNTS} }} }}", id=thought)["thought"]


def talk(ana, ben, thought):
    def count():
        return counts(ana, thought)["commentCount"]

    first = ben.do("addComment", "comment { id } subject { commentCount }", subjectId=thought, text="And the cup?")
    expect(first["subject"]["commentCount"] == 1, f"after a comment: {first}")
    comment = first["comment"]["id"]
    ana.refused("updateComment", "FORBIDDEN", id=comment, text="…")
    ben.do("updateComment", "comment { text editedAt }", id=comment, text="And the spoon?")
    second = ana.do("addComment", "comment { id }", subjectId=thought, text="It sings.", clientMutationId="sings")
    again = ana.do("addComment", "comment { id }", subjectId=thought, text="It sings.", clientMutationId="sings")
    expect(second == again and count() == 2, "sent again, a comment was written twice")
    ana.refused("addComment", "BAD_USER_INPUT", subjectId=thought, text="It shouts.", clientMutationId="sings")
    texts = ben.ask(
        "query ($id: ID!) { thought(id: $id) { comments(first: 1) { nodes { text } pageInfo { hasNextPage endCursor } } } }",
        id=thought)["thought"]["comments"]
    expect(texts["nodes"] == [{"text": "And the spoon?"}] and texts["pageInfo"]["hasNextPage"], f"comments: {texts}")
    rest = ben.ask(
        "query ($id: ID!, $after: String) { thought(id: $id) { comments(after: $after) { nodes { text } } } }",
        id=thought, after=texts["pageInfo"]["endCursor"])["thought"]["comments"]["nodes"]
    expect(rest == [{"text": "It sings."}], f"the next page: {rest}")
    ana.do("deleteComment", "deletedId", id=second["comment"]["id"])
    expect(count() == 1, "the deleted comment still counts")
    say("They talked below it; a comment sent twice was written once, and a deleted one counts no more.")


def remove(ana):
    thought = ana.do("createThought", "thought { id }", category="CRAZY", text="Never mind.")["thought"]["id"]
    ana.do("deleteThought", "deletedId", id=thought)
    expect(Person(ana.server).ask("query ($id: ID!) { thought(id: $id) { id } }", id=thought)["thought"] is None, "not gone")
