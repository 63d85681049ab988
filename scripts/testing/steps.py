"""Programs that a run starts one after another, each with a log of its own."""

import dataclasses
import pathlib
import re
import subprocess
import time

# The last words of the Swift runtime, of a shell whose program was killed by a signal, of SwiftPM and of the sanitizers.
CRASH = re.compile(
    r"Program crashed|Fatal error:|Segmentation fault|Illegal instruction|Trace/breakpoint trap|Aborted \(core"
    r"|unexpected signal code|ERROR: \w+Sanitizer|WARNING: ThreadSanitizer")
TAIL = 60
# The status that a shell gives a program that it cannot start.
CANNOT_START = 126


def say(text):
    print(text, flush=True)


def tail(log, count=TAIL):
    """The last lines of a log."""
    return log.read_text(errors="replace").splitlines()[-count:] if log.exists() else []


@dataclasses.dataclass(frozen=True)
class Ended:
    """How a program ended: `code` as a shell gives it, 128 and a signal's number after a signal."""

    code: int
    seconds: float
    log: pathlib.Path

    @property
    def has_crashed(self):
        """Whether a signal ended the program or the last command of its shell, or its log has the words of a crash."""
        return self.code >= 128 or bool(CRASH.search(self.log.read_text(errors="replace")))


def run(command, log):
    """Runs a program with its output in a log."""
    log.parent.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    # A file, not a pipe: a process that the program leaves behind would hold a pipe open.
    with log.open("wb") as output:
        try:
            code = subprocess.run(
                [str(word) for word in command], stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                check=False).returncode  # fmt: skip
        except OSError as error:
            output.write(f"{error}\n".encode())
            code = CANNOT_START
    return Ended(code if code >= 0 else 128 - code, time.monotonic() - began, log)


def tell(name, ended, is_ok, words=""):
    """A line for a step; below it the end of the log of a step that failed."""
    verdict = "ok    " if is_ok else "FAILED"
    say(f"{verdict} {name:<14} {ended.seconds:5.0f} s  {words}".rstrip())
    if not is_ok:
        for line in tail(ended.log):
            say(f"    {line}")
        say(f"    in {ended.log}")
