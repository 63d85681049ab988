"""What a server sent for one request, as a script for replay.c."""

import re
import struct

THOUGHT, VIEWER, VIEWER_TEXT, NEW_ID = range(4)
# Crockford's base 32, of which TypeIDs are made. Source: the TypeID specification 0.3.0
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
SETTINGS, DURABLE_COMMIT = "set_config('app.viewer_id'", "pg_logical_emit_message"


def uuid(text):
    return bytes.fromhex(text.replace("-", ""))


def text_of(id):
    return re.sub("(.{8})(.{4})(.{4})(.{4})(.{12})", r"\1-\2-\3-\4-\5", id.hex())


def type_id(prefix, id):
    number = int.from_bytes(id)
    return f"{prefix}_" + "".join(ALPHABET[number >> shift & 31] for shift in range(125, -1, -5))


def uuid_of(type_id):
    number = 0
    for character in type_id.rpartition("_")[2]:
        number = number << 5 | ALPHABET.index(character)
    return number.to_bytes(16)


class Request:
    """The segments of one request, of those that passed while `times` requests of its kind ran.

    - `thought`, `viewer`: the ids in the request, in whose places replay.c puts others. `thought` is None if the
      request names none.
    """

    def __init__(self, passed, times, thought, viewer):
        # A request's segments begin with the viewer's settings. Others come from the work in the background.
        own = [(parameters, segment) for parameters, segment in passed if SETTINGS in segment[0].sql]
        assert own and len(own) % times == 0, f"{len(own)} segments were sent for {times} requests"
        self.thought, self.viewer, self.new_id = thought, viewer, None
        segments = [segment for _, segment in own]
        self.durable = None
        if times > 1:
            segments = self.written(segments, times, [segment for _, segment in passed])
        (self.session_options,) = {parameters["options"] for parameters, _ in own}
        self.statement_count = sum(map(len, segments))
        self.script = self.packed(segments)

    def written(self, segments, times, passed):
        """One write of several, and with it the durable commit that it shares."""
        assert len(segments) == times, "A write takes more than one segment."
        shared = [segment for segment in segments if "synchronous_commit" in segment[0].sql]
        if len(shared) > 1:
            segments = shared
            self.durable = next(
                segment for segment in passed if len(segment) == 1 and DURABLE_COMMIT in segment[0].sql)  # fmt: skip
        one, other = segments[:2]
        assert [statement.sql for statement in one] == [statement.sql for statement in other]
        differing = {
            value for mine, others in zip(one, other)
            for value, of_other in zip(mine.values, others.values) if value != of_other}  # fmt: skip
        # The requests were equal, so they differ in the id that the server makes.
        (self.new_id,) = differing
        assert len(self.new_id) == 16, self.new_id
        return [one]

    def packed(self, segments):
        segments = segments + ([self.durable] if self.durable else [])
        parts = [struct.pack("<II", self.durable is not None, len(segments))]
        for segment in segments:
            parts.append(struct.pack("<I", len(segment)))
            for statement in segment:
                sql = statement.sql.encode()
                parts += [struct.pack("<I", len(sql)), sql, struct.pack("<I", len(statement.values))]
                parts += map(self.packed_value, statement.types, statement.values)
        return b"".join(parts)

    def packed_value(self, type, value):
        places = [] if value is None else list(self.places(value))
        size = -1 if value is None else len(value)
        numbers = [len(places), *(number for place in places for number in place)]
        return struct.pack("<Ii", type, size) + (value or b"") + struct.pack(f"<{len(numbers)}I", *numbers)

    def places(self, value):
        patterns = {
            THOUGHT: self.thought, VIEWER: self.viewer, VIEWER_TEXT: text_of(self.viewer).encode(), NEW_ID: self.new_id,
        }  # fmt: skip
        for kind, pattern in patterns.items():
            start = value.find(pattern) if pattern else -1
            while start >= 0:
                yield start, kind
                start = value.find(pattern, start + len(pattern))
