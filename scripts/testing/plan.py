"""The steps of scripts/test, and the seconds that each usually takes on two quiet cores in a new clone."""

# In this order; a failure of one of these ends the run. What is fetched takes as long as the network.
PREPARE_LIMIT = 3_600
FORMAT = 5
CHECKS = {"lint": 2, "figures": 60}
BUILD = 460
# Each of these runs.
SWIFT_TESTS = 240
# By the names of scripts/test-*.sh; the cheapest comes first.
SCRIPTS = {
    "contract": 1, "checkers": 4, "client": 4, "docs": 20, "images": 5, "mail": 10, "offline": 20, "packages": 22, "walkthrough": 5,
    "backup": 33, "import": 33, "protocols": 34, "attacks": 55, "playground": 140,
}  # fmt: skip

# A step is ended after FACTOR times its usual seconds, and not before LEAST: a start of PostgreSQL can delay a short one.
FACTOR = 5
LEAST = 120
# The seconds that a step has to clean up when it is ended.
GRACE = 15


def limit(usual):
    """The seconds after which a step is ended."""
    return max(LEAST, FACTOR * usual)
