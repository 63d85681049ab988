"""A run as a file: who did what and from when to when it was hidden, what each subscription was told, and what its query gave."""

import gzip
import json
import math

from .clients import Client, Subscription
from .judge import Judge, Person
from .truth import Conversation, Span, Thing


class NoRecording:
    """Of a run that is judged by its recording."""

    def begin(self, subscription):
        pass

    def connect(self, subscription):
        pass

    def note(self, subscription, payload, now):
        pass

    def compare(self, subscription, now):
        pass

    def certain(self):
        """Every list was found right."""


class Recording(NoRecording):
    def __init__(self):
        # Lists of a name and its values, in the order in which they happened.
        self.steps = []
        # Of each subscription.
        self.numbers = {}

    def _add(self, step, subscription, *values):
        number = self.numbers.setdefault(subscription, len(self.numbers))
        self.steps.append([step, number, *values])

    def begin(self, subscription):
        client = subscription.client
        self._add("begin", subscription, client.name, client.person.name, subscription.field, subscription.kept.copy())

    def connect(self, subscription):
        self._add("connect", subscription, subscription.opened, subscription.resumed_since)

    def note(self, subscription, payload, now):
        self._add("note", subscription, now, payload)

    def compare(self, subscription, now):
        self._add("compare", subscription, now.copy())

    def certain(self):
        self.steps.append(["certain"])

    def save(self, path, world):
        def spans(list):
            return [[span.start, None if span.end == math.inf else span.end] for span in list]

        truth = world.truth
        things = [
            [thing.id, thing.author.name, thing.subject and thing.subject.id, spans(thing.drafts), thing.texts, thing.is_deleted]
            for thing in truth.things.values()
        ]  # fmt: skip
        content = {
            "people": [[person.name, person.id, person.is_moderator] for person in [*world.people, world.herald]],
            "conversations": [[one.id, [person.name for person in one.people]] for one in truth.conversations.values()],
            "things": things,
            "blocks": [[*names, spans(list)] for names, list in truth.blocks.items()],
            "marker": world.marker,
            "steps": self.steps,
        }
        with gzip.GzipFile(path, "wb", mtime=0) as file:
            file.write(json.dumps(content, separators=(",", ":")).encode())


class Recorded:
    """A run that was saved."""

    def __init__(self, path):
        with gzip.open(path) as file:
            content = json.load(file)

        def spans(pairs):
            return [Span(start, math.inf if end is None else end) for start, end in pairs]

        self.people = {}
        for name, id, is_moderator in content["people"]:
            self.people[name] = Person(name, id, None)
            self.people[name].is_moderator = is_moderator
        self.truth = Judge().truth
        for id, names in content["conversations"]:
            self.truth.conversations[id] = Conversation(id, [self.people[name] for name in names])
        for id, author, _, drafts, texts, is_deleted in content["things"]:
            self.truth.things[id] = Thing(id, self.people[author], drafts=spans(drafts), texts=texts, is_deleted=is_deleted)
        for id, _, subject, *_ in content["things"]:
            self.truth.things[id].subject = subject and self.truth.find(subject)
        for one, other, pairs in content["blocks"]:
            self.truth.blocks[one, other] = spans(pairs)
        self.marker, self.steps = content["marker"], content["steps"]

    def judge(self, steps, watch=lambda *_: None):
        """The faults of what happened.

        - watch: is called before each step that tells a subscription something, with its index and the subscription.
        """
        judge = Judge()
        judge.truth, judge.marker, judge.recording = self.truth, self.marker, NoRecording()
        clients, subscriptions = {}, {}
        for index, (step, *values) in enumerate(steps):
            if step == "certain":
                for subscription in subscriptions.values():
                    subscription.is_uncertain = False
                continue
            number, *values = values
            if step == "begin":
                client, person, field, kept = values
                if client not in clients:
                    clients[client] = Client(self.people[person], "any transport", judge, client)
                subscription = subscriptions[number] = Subscription(clients[client], field, "")
                clients[client].subscriptions.append(subscription)
                subscription.kept = dict(kept)
                continue
            subscription = subscriptions[number]
            if step == "connect":
                subscription.opened, subscription.resumed_since = values
                subscription.connections += 1
                subscription.is_uncertain = True
                continue
            watch(index, subscription)
            if step == "note":
                now, payload = values
                subscription.note(payload, now)
            else:
                judge.compare_list(subscription, dict(values[0]))
        return judge.faults
