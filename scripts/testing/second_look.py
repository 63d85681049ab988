"""What failed runs once more, alone: where it passes then, the machine's pace is the likely cause. It counts as passed and is told
as flaky. A defect of the product that shows by chance looks the same, so whatever could be one has no second chance."""

import dataclasses
import pathlib
import typing

# More failures in one step have another cause than a slow machine.
MOST_LOOKS = 10
# The most flaky names of a green run.
MOST_FLAKY = 2

# A single failure of these may be an event or a write that was lost, doubled or misattributed.
EXACT_SCRIPTS = {"backup", "import", "offline"}
EXACT = (
    "Tests/AppTests/ChangeLog/", "Tests/AppTests/Changes/", "Tests/AppTests/Chat/", "Tests/AppTests/Concurrency/",
    "Tests/AppTests/Counters/", "Tests/AppTests/Idempotency/", "Tests/AppTests/Notifications/", "Tests/AppTests/Ownership/",
    "Tests/AppTests/Push/", "Tests/ChangeFeedTests/", "Tests/FirebaseImportTests/",
    "Tests/GraphQLTransportTests/Streaming/ReceiptTests.swift",
    "Tests/GraphQLTransportTests/Streaming/StreamPositionTests.swift", "Tests/PostgresTests/RetryTests.swift",
    "Tests/PostgresTests/WritePoolTests.swift", "Tests/TertuliaClientTests/Live/", "Tests/TertuliaClientTests/Outbox/",
)  # fmt: skip
# What the scripts run is in these folders.
SCRIPTED = ("scripts/", "Tests/Client/", "Tests/Playground/", "Tests/TestRun/")


@dataclasses.dataclass
class Failure:
    name: str
    # The first words that say what is wrong.
    words: str
    log: pathlib.Path
    # Why there is no second look, None where there is one.
    why_final: str | None = None
    # Runs it alone, with its output in a file of that name: the words of its failure, None where it passes, and the log.
    again: typing.Callable[[str], tuple[str | None, pathlib.Path]] | None = None
    has_passed_alone: bool = False


def why_check_is_final(ended):
    return "the same each time"


def why_build_is_final(ended):
    """A compiler or a plugin that crashes ends SwiftPM with status 1. Where a signal ends SwiftPM itself, nothing was judged."""
    return None if ended.is_signalled else why_check_is_final(ended)


def why_script_is_final(name, ended, changed):
    if ended.is_hang:
        return "a hang"
    if ended.has_crashed:
        return "a crash"
    if name in EXACT_SCRIPTS:
        return "about exactness"
    if any(file.startswith(SCRIPTED) for file in changed):
        return "changed by this branch"
    return None


def why_test_is_final(test, file, changed):
    if file in changed:
        return "changed by this branch"
    if file.startswith(EXACT) and not test.is_only_late:
        return "about exactness"
    return None


class SecondLook:
    """- flaky_lately: the names that were flaky in the last runs: they are not to be again."""

    def __init__(self, flaky_lately):
        self.flaky_lately = flaky_lately
        # Each with the log of the first and of the second look.
        self.flaky = []
        self.failures = []

    def take(self, failures):
        """Judges what failed in one step, before the next one begins."""
        for failure in failures:
            if len(failures) > MOST_LOOKS:
                failure.why_final = f"one of {len(failures)} failures"
            if failure.why_final:
                self.failures.append(failure)
                continue
            words, log = failure.again(f"{failure.name} again")
            if words is not None:
                failure.why_final = f"failed again: {words}, {log}"
                self.failures.append(failure)
                continue
            failure.has_passed_alone = True
            self.flaky.append((failure.name, failure.words, failure.log, log))
            if failure.name in self.flaky_lately:
                failure.why_final = "passed alone, but was flaky lately, too"
                self.failures.append(failure)

    @property
    def is_too_flaky(self):
        return len(self.flaky) > MOST_FLAKY
