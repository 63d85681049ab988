"""What an event may say to its viewer, and which list it leaves."""

from .truth import Truth


class Person:
    def __init__(self, name, id, token):
        self.name, self.id, self.token = name, id, token
        self.is_moderator = False


class Judge:
    def __init__(self):
        self.truth = Truth()
        self.log = []
        self.faults = []
        self.shows = self.removals = 0
        # When the lists were found right last, or were read while nobody acted.
        self.checked = 0.0
        # The object whose changes tell that everything before them has come.
        self.marker = None

    def fault(self, subscription, text):
        self.faults.append(f"{subscription}: {text}")
        self.log.append(f"FAULT {self.faults[-1]}")

    def shown(self, subscription, id, text, now):
        """An object came with its text."""
        self.shows += 1
        self.log.append(f"    {subscription} shows {id} {text}")
        thing = self.truth.find(id)
        viewer = subscription.client.person
        if thing is None:
            return
        # It was read on this connection, and after the text was sent.
        start = max(subscription.opened, thing.texts.get(text, 0) if thing.kind != "conversation" else 0)
        if self.truth.is_hidden(viewer, thing, start, now):
            self.fault(subscription, f"shows {id} {text} to {viewer.name}, who cannot have seen it")

    def removed(self, subscription, id, place, now):
        """What the client has not."""
        # Several subscriptions of a connection give a place before theirs, and so do the objects that a block hides at
        # once: all of them come again, also one that was left out because this client never had it.
        earlier = [last for last, connection in subscription.removals if connection < subscription.connections]
        if any(place[0] == last[0] and abs(place[1] - last[1]) <= 1 for last in earlier):
            return
        thing = self.truth.find(id)
        if subscription.is_uncertain and thing:
            # It may have come and gone since the place from which this connection went on.
            if not self.truth.is_hidden(subscription.client.person, thing, subscription.resumed_since, now):
                return
        self.fault(subscription, f"REMOVED of {id}, which it did not have")

    def compare_list(self, subscription, now):
        """The list that a subscription has kept, with what the same viewer's query gives now."""
        mine = subscription.kept
        for id in sorted(mine.keys() | now.keys()):
            if id not in now:
                self.fault(subscription, f"keeps {id} {mine[id]}, which the query does not give")
            elif id not in mine:
                self.fault(subscription, f"lacks {id} {now[id]}, which the query gives")
            elif mine[id] != now[id]:
                self.fault(subscription, f"keeps {id} as {mine[id]}, which the query gives as {now[id]}")
        subscription.kept = now
