"""Made exports of the five kinds of apps, a function of app, size and seed, and what becomes of them when they are
imported. About one document in fifty is broken."""

import collections
import datetime
import json
import random
import struct
import zlib

from . import passwords

START = 1_500_000_000
AHEAD = 4_000_000_000
# Stands for bytes that are not UTF-8.
BAD = "@@BAD@@"
WORDS = "soup train letter window river café umbrella bicycle Thursday 猫 library garden story 🎈 quiet table".split()

NO_ACCOUNT = "No account has this id."
NO_SUBJECT = "Its thought or event is not imported."
BAD_UTF8 = "Invalid UTF-8 in a JSON string at byte N."
NOT_TEXT = "It is a number, not a text."
MISSING = "It is missing."
FUTURE = "It lies in the future: the time of the import takes its place."
NO_TIME = "It is not a time between 1990 and 2100 in the format that the mapping names."
TAKEN = "This username is taken, or looks like one that is."
ANONYMOUS = "An anonymous account writes nothing before it signs up."


def png(generator):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + generator.randbytes(48) for _ in range(16))
    header = struct.pack(">IIBBBBB", 16, 16, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


class Data:
    """Writes the files of one app; keeps what is expected."""

    def __init__(self, app, folder, users, documents, seed):
        self.app, self.folder, self.user_count, self.document_count = app, folder, users, documents
        self.random = random.Random(f"{app} {seed}")
        self.problems = collections.Counter()
        self.counts = collections.Counter()
        self.documents = 0
        # What is imported, in the order of reading.
        self.accounts, self.objects = [], []
        self.sign_ins, self.resets = [], []
        self.storage = folder / "storage"
        (self.storage / "pictures").mkdir(parents=True)
        for number in range(10):
            (self.storage / "pictures" / f"{number}.png").write_bytes(png(self.random))
        (self.storage / "pictures" / "large.png").write_bytes(png(self.random) + bytes(20 << 20))
        (self.storage / "pictures" / "text.png").write_bytes(b"no picture")
        self.make_users()
        (folder / "hash.txt").write_text(passwords.PARAMETERS)
        getattr(self, app)()

    # Parts

    def problem(self, effect, reason, count=1):
        self.problems[effect, reason] += count

    def uid(self):
        return "".join(self.random.choices("abcdefghijkmnopqrstuvwxyzABCDEFGH23456789", k=28))

    def text(self, words=8):
        return " ".join(self.random.choices(WORDS, k=words))

    def time(self):
        return START + self.random.randrange(100_000_000)

    def member(self):
        return self.random.choice(self.members)

    def breaks(self, *kinds):
        """One of the kinds for one document in fifty, otherwise None."""
        return self.random.choice(kinds) if self.random.random() < 0.02 else None

    def make_users(self):
        known = [
            {"password": f"old password {number}"} | passwords.exported(f"old password {number}", bytes([number] * 10))
            for number in range(8)
        ]
        self.members, self.anonymous = [], []
        with open(self.folder / "users.json", "w") as file:
            file.write('{"users": [\n')
            for number in range(self.user_count):
                user = {"localId": self.uid(), "createdAt": str((START - 1000 + number // 4) * 1000)}
                secret = passwords.SAMPLE if number == 0 else self.random.choice(known)
                kind = "password" if number == 0 else self.random.choices(
                    ["password", "google", "anonymous", "phone", "broken", "disabled"], [80, 8, 8, 1, 1, 2])[0]
                if kind == "broken":
                    user |= {"localId": 7}
                    self.problem("refused", "localId is missing.")
                elif kind == "anonymous":
                    self.anonymous.append(user["localId"])
                else:
                    self.members.append(user["localId"])
                if kind == "phone":
                    user["phoneNumber"] = f"+34{number:09}"
                    self.problem("changed", "It has no e-mail address, so nobody can sign in to it.")
                elif kind in ("password", "google", "disabled"):
                    provider = "password" if kind == "password" else "google.com"
                    user |= {"email": f"person{number}@{self.app}.example", "providerUserInfo": [{"providerId": provider}]}
                    if kind == "password":
                        user |= {key: secret[key] for key in ("salt", "passwordHash")}
                        self.sign_ins.append((user["email"], secret["password"]))
                    elif kind == "google":
                        self.resets.append(user["email"])
                    else:
                        user["disabled"] = True
                if kind != "broken":
                    self.accounts.append(user["localId"])
                file.write(json.dumps(user) + (",\n" if number < self.user_count - 1 else "\n]}\n"))
        self.counts["users"] = len(self.accounts)

    def profile(self, uid, number, username="username"):
        """The fields of a profile, with a name that is taken or malformed for some."""
        fields = {username: f"person_{number}"}
        broken = self.breaks("taken", "malformed") if number > 0 else None
        if uid in self.anonymous:
            self.problem("changed", "An anonymous account has no profile before it signs up.")
        elif broken == "taken":
            # The first member is older than all others.
            fields[username] = "Person_0"
            self.problem("changed", TAKEN)
        elif broken == "malformed":
            fields[username] = f"The Person {number}"
            self.problem("changed", "A username is made of letters from a to z, digits, _ and dots.")
        return fields

    def broken_object(self, fields, text, time, author):
        """Breaks a thought, an event or a comment; returns how, None where it is whole."""
        broken = self.breaks("type", "missing", "utf8", "author", "anonymous", "time", "long")
        if broken == "anonymous" and not self.anonymous:
            broken = "author"
        limit = {"thoughts": 2000, "comments": 1000, "events": 140}
        match broken:
            case None: return None
            case "type": fields[text], reason = 7, NOT_TEXT
            case "missing":
                del fields[text]
                reason = MISSING
            case "utf8": fields[text], reason = BAD, BAD_UTF8
            case "author": fields[author], reason = "gone", NO_ACCOUNT
            case "anonymous": fields[author], reason = self.random.choice(self.anonymous), ANONYMOUS
            case "time": fields[time], reason = "once upon a time", NO_TIME
            case "long":
                kind = {"description": "events", "commentTxt": "comments"}.get(text, "thoughts")
                if self.app == "posts" and self.is_comment: kind = "comments"
                fields[text] = "é" * (limit[kind] + 1)
                name = {"events": "The description", "comments": "The comment", "thoughts": "The text"}[kind]
                reason = f"{name} can have {limit[kind]} characters at most."
        self.problem("refused", reason)
        return broken

    is_comment = False

    def picture(self, fields, name, broken):
        """Adds a picture to one object in twenty. It is looked at unless the object is refused for its own fields."""
        if self.random.random() > 0.05: return
        number = self.random.randrange(12)
        file, reason = {
            10: ("large.png", "An image can have 1 MiB at most."),
            11: ("text.png", "Only PNG, JPEG, GIF and WebP images can be uploaded."),
        }.get(number, (f"{number}.png", None))
        place = f"pictures/{file}"
        forms = [place, f"gs://{self.app}.appspot.com/{place}",
                 f"https://firebasestorage.googleapis.com/v0/b/{self.app}.appspot.com/o/pictures%2F{file}?alt=media&token=t"]
        fields[name] = self.random.choice(forms)
        if broken not in (None, "author", "anonymous"): return
        if reason: self.problem("changed", reason)
        elif not broken: self.counts["images"] += 1

    # Files

    def write(self, name, pieces):
        """Writes texts and documents as JSON."""
        with open(self.folder / name, "wb") as file:
            for piece in pieces:
                data = piece.encode() if isinstance(piece, str) else json.dumps(piece, ensure_ascii=False).encode()
                file.write(data.replace(json.dumps(BAD).encode(), b'"\xff\xfe"'))

    @staticmethod
    def collection(name, documents):
        """The pieces of a collection of firestore-export-import."""
        yield f'{json.dumps(name)}: {{\n'
        for number, (identifier, fields) in enumerate(documents):
            yield ",\n" if number else ""
            yield f"{json.dumps(identifier)}: "
            yield fields
        yield "}"

    def profiles(self, username="username", others=lambda uid: {}):
        for number, uid in enumerate(self.accounts):
            self.documents += 1
            yield uid, self.profile(uid, number, username) | others(uid)

    # Apps

    def rndm(self):
        def thoughts():
            while self.documents < self.document_count:
                identifier = self.uid()
                fields = {
                    "category": self.random.choice(["funny", "serious", "crazy"]), "thoughtTxt": self.text(),
                    "timestamp": {"__datatype__": "timestamp", "value": {"_seconds": self.time(), "_nanoseconds": 0}},
                    "userId": self.member(), "username": "x", "numLikes": 3, "numComments": 9,
                }
                is_refused = self.broken_object(fields, "thoughtTxt", "timestamp", "userId")
                self.documents += 1
                if not is_refused:
                    self.counts["thoughts"] += 1
                    self.objects.append(("thought", f"thoughts/{identifier}"))
                comments = dict(comment(is_refused) for _ in range(self.random.randrange(12)))
                yield identifier, fields | {"__collections__": {"comments": comments}}

        def comment(is_lost):
            fields = {
                "commentTxt": self.text(5), "timestamp": {"_seconds": self.time(), "_nanoseconds": 0},
                "userId": self.member(), "username": "x",
            }
            is_refused = self.broken_object(fields, "commentTxt", "timestamp", "userId")
            self.documents += 1
            if is_lost and not is_refused: self.problem("refused", NO_SUBJECT)
            elif not is_refused: self.counts["comments"] += 1
            return self.uid(), fields

        def pieces():
            yield '{"__collections__": {'
            yield from self.collection("users", self.profiles())
            yield ",\n"
            yield from self.collection("thoughts", thoughts())
            yield "}}"

        self.write("firestore.json", pieces())
        self.arguments = ["--firestore", "firestore.json"]

    def posts(self):
        def posts():
            while self.documents < self.document_count:
                identifier = self.uid()
                fields = {"id": identifier, "title": self.text(3), "text": self.text(), "author": self.member(),
                          "createdAt": self.time() * 1000}
                is_refused = self.broken_or_titled(fields, "text", "createdAt", "author")
                self.documents += 1
                self.picture(fields, "image", is_refused)
                likes = self.random.sample(self.members, self.random.randrange(min(8, len(self.members))))
                fields["likes"] = likes
                if is_refused: self.problem("refused", NO_SUBJECT, len(likes))
                else:
                    self.counts["likes"] += len(likes)
                    self.counts["thoughts"] += 1
                    self.objects.append(("thought", f"posts/{identifier}"))
                    if self.breaks("gone"):
                        likes.append("gone")
                        self.problem("refused", NO_ACCOUNT)
                    elif self.breaks("number"):
                        self.counts["likes"] -= len(likes)
                        fields["likes"] = len(likes)
                        self.problem("changed", "It is a number, neither a list nor an object.")
                comments = dict(comment(is_refused) for _ in range(self.random.randrange(8)))
                yield identifier, fields | {"subCollection": {f"posts/{identifier}/comments": comments}}

        def comment(is_lost):
            self.is_comment = True
            fields = {"text": self.text(5), "createdAt": self.time() * 1000, "author": self.member()}
            is_refused = self.broken_object(fields, "text", "createdAt", "author")
            self.is_comment = False
            self.documents += 1
            if is_lost and not is_refused: self.problem("refused", NO_SUBJECT)
            elif not is_refused: self.counts["comments"] += 1
            return self.uid(), fields

        def pieces():
            yield "{"
            yield from self.collection("users", self.profiles())
            yield ",\n"
            yield from self.collection("posts", posts())
            yield ",\n"
            yield from self.collection("messages", [("m", {"text": "private"})])
            yield "}"

        self.write("firestore.json", pieces())
        self.arguments = ["--firestore", "firestore.json"]

    def broken_or_titled(self, fields, text, time, author):
        """As broken_object, for an app whose title stands for a missing text."""
        broken = self.broken_object(fields, text, time, author)
        if broken != "missing": return broken
        self.problem("refused", MISSING, -1)
        return None

    def socials(self):
        self.identifiers = [self.uid() for _ in range(max(1, self.document_count - len(self.accounts)))]
        self.pairs, self.good = set(), set()

        def timestamp():
            return {"_seconds": self.time(), "_nanoseconds": 0}

        def events():
            for identifier in self.identifiers:
                fields = {"name": self.text(2), "description": self.text(6), "creator": self.member(),
                          "startTimeStamp": timestamp()}
                is_refused = self.broken_object(fields, "description", "startTimeStamp", "creator")
                if not is_refused and self.breaks("end"):
                    fields["endTimeStamp"] = {"_seconds": fields["startTimeStamp"]["_seconds"] - 60, "_nanoseconds": 0}
                    is_refused = "end"
                    self.problem("refused", "The event has to end after it starts.")
                self.documents += 1
                self.picture(fields, "photoURL", is_refused)
                people = self.random.sample(self.members, self.random.randrange(min(6, len(self.members))))
                fields["rsvpUsers"] = people
                # Of a page's document that is not UTF-8 nothing is read.
                if is_refused: self.problem("refused", NO_SUBJECT, 0 if is_refused == "utf8" else len(people))
                else:
                    self.good.add(identifier)
                    self.pairs |= {(person, identifier) for person in people}
                    self.counts["events"] += 1
                    self.objects.append(("event", f"events/{identifier}"))
                yield identifier, fields

        def typed(fields):
            def value(plain):
                match plain:
                    case bool(): return {"booleanValue": plain}
                    case int(): return {"integerValue": str(plain)}
                    case str(): return {"stringValue": plain}
                    case list(): return {"arrayValue": {"values": [value(one) for one in plain]}}
                    case {"_seconds": seconds}:
                        at = datetime.datetime.fromtimestamp(seconds, datetime.UTC)
                        return {"timestampValue": at.strftime("%Y-%m-%dT%H:%M:%SZ")}
            return {name: value(plain) for name, plain in fields.items()}

        def page(collection, documents):
            yield '{"documents": [\n'
            for number, (identifier, fields) in enumerate(documents):
                yield ",\n" if number else ""
                yield {"name": f"projects/p/databases/(default)/documents/{collection}/{identifier}",
                       "fields": typed(fields), "createTime": "2020-01-01T00:00:00Z"}
            yield "]}\n"

        def saved(uid):
            fields = {"fullname": self.text(2), "email": "x@y.example"}
            if uid in self.members and self.random.random() < 0.5:
                chosen = self.random.sample(self.identifiers, min(2, len(self.identifiers)))
                fields["savedEvents"] = chosen
                for one in chosen:
                    if one in self.good: self.pairs.add((uid, one))
                    else: self.problem("refused", NO_SUBJECT)
            return fields

        self.write("events.json", page("events", events()))
        self.write("users-of-events.json", page("users", self.profiles(others=saved)))
        self.counts["rsvps"] = len(self.pairs)
        self.arguments = ["--firestore", "events.json", "--firestore", "users-of-events.json"]

    def practica(self):
        def posts(uid):
            for _ in range(self.random.randrange(2, 2 * max(1, self.document_count // len(self.members)))):
                identifier = "-" + self.uid()[:19]
                fields = {"title": self.text(3), "description": self.text(), "author": "x", "date": self.time(),
                          "postId": identifier, "published": self.random.random() < 0.5, "numRatings": 3,
                          "averageRating": 4.5, "totalRating": 13}
                broken = self.breaks("type", "utf8", "time")
                match broken:
                    case "type": fields["description"], reason = 7, NOT_TEXT
                    case "utf8": fields["description"], reason = BAD, BAD_UTF8
                    case "time": fields["date"], reason = "Monday", NO_TIME
                if broken: self.problem("refused", reason)
                elif self.random.random() < 0.02:
                    # From a phone whose clock is ahead.
                    fields["date"] = AHEAD
                    self.problem("changed", FUTURE)
                self.documents += 1
                self.picture(fields, "photo", broken)
                if not broken:
                    self.counts["thoughts"] += 1
                    self.objects.append(("thought", f"posts/{identifier}"))
                    if fields["published"]: self.published.append((identifier, fields))
                yield identifier, fields

        def people():
            for uid in self.members:
                yield uid, dict(posts(uid))
            # Somebody who has no account, and somebody who is anonymous.
            fields = {"title": "x", "description": "y", "date": START, "published": True}
            yield "gone", {"p": fields}
            self.problem("refused", NO_ACCOUNT)
            if self.anonymous:
                yield self.anonymous[0], {"q": fields}
                self.problem("refused", ANONYMOUS)

        def pieces():
            yield "{"
            yield from self.collection("Users", people())
            yield ",\n"
            yield from self.collection("publishedPost", self.published)
            yield "}"

        self.published = []
        self.write("database.json", pieces())
        self.arguments = ["--realtime-database", "database.json"]

    def reswift(self):
        def items():
            while self.documents < self.document_count:
                identifier = "-" + self.uid()[:19]
                fields = {"title": self.text(2), "text": self.text(), "owner": self.member(), "createdAt": self.time() + 0.5}
                if not self.broken_or_titled(fields, "text", "createdAt", "owner"):
                    self.counts["thoughts"] += 1
                    self.objects.append(("thought", f"items/{identifier}"))
                self.documents += 1
                yield identifier, fields

        def names():
            for uid in self.accounts:
                self.documents += 1
                if uid in self.anonymous: self.problem("changed", "An anonymous account has no profile before it signs up.")
                yield uid, {"name": self.text(2)}

        def pieces():
            yield '{"other": {"a": 1},'
            yield from self.collection("items", items())
            yield ",\n"
            yield from self.collection("users", names())
            yield "}"

        self.write("database.json", pieces())
        self.arguments = ["--realtime-database", "database.json"]
