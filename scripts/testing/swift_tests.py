"""A run of Swift tests, as its event stream tells it: Swift Testing's ABI, a JSON object a line, written as things happen, so that
a crash leaves the names of the tests that ran."""

import dataclasses
import json
import re

from . import plan, steps

# Swift Testing has no other sign in its events of a test that took too long.
TIME_LIMIT = re.compile(r"Time limit was exceeded")


@dataclasses.dataclass
class Test:
    # Module.Suite/function()/File.swift:line:column
    id: str
    file: str
    has_begun: bool = False
    # The cases of a test with arguments that have begun and not ended. Other tests have no events of cases.
    running: int = 0
    has_ended: bool = False
    # The first words of each issue that fails the test.
    issues: list = dataclasses.field(default_factory=list)

    @property
    def name(self):
        return self.id.rpartition("/")[0]

    @property
    def is_only_late(self):
        """The test's own time limit is all that failed it."""
        return all(TIME_LIMIT.match(issue) for issue in self.issues)


class SwiftRun:
    def __init__(self, ended, events):
        self.ended = ended
        self.tests = {}
        # Issues outside of any test, for instance of a task that outlived its test.
        self.stray = []
        self.is_complete = False
        for line in events.read_text(errors="replace").splitlines() if events.exists() else []:
            try:
                record = json.loads(line)
            except ValueError:
                # Half a line: the process ended while it wrote.
                continue
            self._note(record["kind"], record["payload"])

    def _note(self, record, payload):
        if record == "test":
            if payload["kind"] == "function":
                self.tests[payload["id"]] = Test(payload["id"], payload["sourceLocation"]["filePath"])
            return
        test = self.tests.get(payload.get("testID"))
        match payload["kind"]:
            case "testStarted" if test:
                test.has_begun = True
            case "testCaseStarted" if test:
                test.running += 1
            case "testCaseEnded" if test:
                test.running -= 1
            case "testEnded" if test:
                test.has_ended = True
            case "issueRecorded" if payload["issue"]["isFailure"]:
                words = ": ".join(" ".join(message["text"].split()) for message in payload["messages"])
                (test.issues if test else self.stray).append(words)
            case "runEnded":
                self.is_complete = True

    @property
    def count(self):
        """The tests that have passed or failed."""
        return sum(test.has_ended or bool(test.issues) for test in self.tests.values())

    @property
    def failed(self):
        return [test for test in self.tests.values() if test.issues]

    @property
    def running(self):
        """The tests that had begun and not ended when the process did, those with a case that ran first. Swift Testing begins
        many tests at once, and lets them wait for their turn."""
        begun = [test for test in self.tests.values() if test.has_begun and not test.has_ended]
        return sorted(begun, key=lambda test: test.running == 0)


def run(scratch, log, *arguments):
    events = log.with_suffix(".jsonl")
    events.unlink(missing_ok=True)
    ended = steps.run(
        ["swift", "test", "--scratch-path", scratch, "--skip-build", "--disable-automatic-resolution",
         "--event-stream-version", "6.3", "--event-stream-output-path", events, *arguments],
        log, plan.limit(plan.SWIFT_TESTS))  # fmt: skip
    return SwiftRun(ended, events)


def run_again(scratch, log, test):
    return run(scratch, log, "--filter", f"^{re.escape(test.id)}$")
