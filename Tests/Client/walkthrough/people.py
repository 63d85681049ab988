"""Events, private chat, notifications and devices."""

from patience import eventually

from .person import Person, expect, say


def meet(ana, ben):
    event = ana.do(
        "createEvent", "event { id name attendees { nodes { id } } }", name="Soup night", description="Bring a bowl.",
        startsAt="2099-05-01T18:00:00+02:00", endsAt="2099-05-01T22:00:00+02:00", timeZone="Europe/Madrid",
        location="Café Central")["event"]["id"]
    ben.do("rsvp", "event { goingCount }", eventId=event, status="INTERESTED")
    ben.do("rsvp", "event { goingCount }", eventId=event, status="GOING")
    read = """query ($id: ID!) { event(id: $id) { startsAt location interestedCount goingCount cancelledAt
        attendees { nodes { id } } viewerRsvp } }"""
    seen = ben.ask(read, id=event)["event"]
    expect(seen["startsAt"] == "2099-05-01T16:00:00.000Z", f"another instant: {seen}")
    expect((seen["interestedCount"], seen["goingCount"], seen["viewerRsvp"]) == (0, 1, "GOING"), f"RSVPs: {seen}")
    expect(seen["attendees"]["nodes"] == [{"id": ben.id}], f"attendees: {seen}")
    ben.refused("updateEvent", "FORBIDDEN", id=event, name="Ben's night")
    ana.do("updateEvent", "event { location }", id=event, location=None)
    listed = ben.ask(
        """query ($id: ID!) { events(filter: { authorId: $id, startsAfter: "2099-01-01T00:00:00Z" }) { nodes { id } }
           viewer { rsvpEvents { nodes { id } } } }""", id=ana.id)
    expect(listed["events"]["nodes"] == listed["viewer"]["rsvpEvents"]["nodes"] == [{"id": event}], f"lists: {listed}")
    ben.do("cancelRsvp", "event { goingCount }", eventId=event)
    expect(ben.ask(read, id=event)["event"]["goingCount"] == 0, "the RSVP still counts")
    ben.do("rsvp", "event { goingCount }", eventId=event, status="GOING")
    ana.do("cancelEvent", "event { cancelledAt }", id=event)
    expect(ben.ask(read, id=event)["event"]["cancelledAt"], "the event is not marked as cancelled")
    other = ana.do(
        "createEvent", "event { id }", name="No", description="No.", startsAt="2099-05-01T18:00:00Z",
        endsAt="2099-05-01T19:00:00Z")["event"]["id"]
    ana.do("deleteEvent", "deletedId", id=other)
    say("Ana made an event and changed it; Ben came, went, came again, and then it was cancelled.")
    return event


def write_to_each_other(server, ana, ben, zoe):
    conversation = ana.do("startConversation", "conversation { id }", participantIds=[ben.id])["conversation"]["id"]
    again = ben.do("startConversation", "conversation { id }", participantIds=[ana.id])["conversation"]["id"]
    expect(conversation == again, "two people have two conversations")
    sent = ana.do("sendMessage", "message { id text }", conversationId=conversation, text="Are you there?")["message"]
    ana.do("updateMessage", "message { text }", id=sent["id"], text="Are you home?")
    unread = "{ viewer { unreadMessageCount conversations { nodes { id unreadCount lastMessage { text } } } } }"
    inbox = ben.ask(unread)["viewer"]
    expect(inbox["unreadMessageCount"] == 1, f"Ben's inbox: {inbox}")
    expect(inbox["conversations"]["nodes"][0]["lastMessage"]["text"] == "Are you home?", f"Ben's inbox: {inbox}")
    ben.do("markConversationRead", "viewer { unreadMessageCount }", conversationId=conversation, messageId=sent["id"])
    expect(ben.ask(unread)["viewer"]["unreadMessageCount"] == 0, "what was read is unread")
    zoe.refused("sendMessage", "NOT_FOUND", conversationId=conversation, text="Hello!")
    peek = "query ($id: ID!) { node(id: $id) { id } }"
    expect(zoe.ask(peek, id=conversation)["node"] is None, "Zoe sees the others' conversation")
    expect(zoe.ask(peek, id=sent["id"])["node"] is None, "Zoe sees the others' message")
    answer = ben.do("sendMessage", "message { id }", conversationId=conversation, text="Yes.")["message"]["id"]
    ben.do("deleteMessage", "deletedId", id=answer)
    trio = ana.do("startConversation", "conversation { id }", participantIds=[ben.id, zoe.id])["conversation"]["id"]
    zoe.do("leaveConversation", "conversationId", conversationId=trio)
    expect(zoe.ask(peek, id=trio)["node"] is None, "Zoe has not left")
    say("Ana and Ben wrote to each other; Zoe could neither read nor write there, and left the three's.")


def hear(server, ana):
    fields = "viewer { unreadNotificationCount notifications { nodes { id kind text readAt } } }"

    def told():
        """Notifications are made a moment after the act."""
        nodes = ana.ask(f"{{ {fields} }}")["viewer"]["notifications"]["nodes"]
        return nodes if {"LIKE", "COMMENT", "RATING", "RSVP"} <= {node["kind"] for node in nodes} else None

    def unread(payload):
        """Their ids. The notification of Ben's message may come between the count and the list; then they are read again."""
        payloads = [payload]

        def agree():
            viewer = (payloads.pop() if payloads else ana.ask(f"{{ {fields} }}"))["viewer"]
            ids = {node["id"] for node in viewer["notifications"]["nodes"] if not node["readAt"]}
            return [ids] if viewer["unreadNotificationCount"] == len(ids) else None

        return eventually("a count of the notifications that are unread", agree)[0]

    nodes = eventually("what tells Ana of a like, a comment, a rating and an RSVP", told)
    one, *others = (node["id"] for node in nodes)
    left = unread(ana.do("markNotificationsRead", fields, ids=[one]))
    expect(one not in left and left >= set(others), f"unread after the newest was read: {left} of {others}")
    left = unread(ana.do("markAllNotificationsRead", fields))
    expect(left.isdisjoint(others), f"unread after all were read: {left}")
    say(f"Ana was told: {'; '.join(node['text'] for node in nodes[:4])}")
    expect(Person(server).ask("{ webPushKey }")["webPushKey"], "there is no key to subscribe with")
    device = ana.do(
        "registerPushDevice", "pushDevice { id transport }",
        target={"apns": {"deviceToken": "ab" * 32, "topic": "dev.tertulia.walkthrough"}})["pushDevice"]
    expect(ana.ask("{ viewer { pushDevices { id } } }")["viewer"]["pushDevices"] == [{"id": device["id"]}], "no device")
    ana.do("unregisterPushDevice", "deletedId", id=device["id"])
    expect(ana.ask("{ viewer { pushDevices { id } } }")["viewer"]["pushDevices"] == [], "the device is still there")
