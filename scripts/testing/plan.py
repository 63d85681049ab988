"""The steps of scripts/test, and the seconds that each usually takes on two quiet cores in a new clone."""

# In this order; a failure of one of these ends the run. What is fetched takes as long as the network. A build takes 460 seconds
# on two quiet cores, and took more than five times as long beside a load of ten.
PREPARE_LIMIT = BUILD_LIMIT = 3_600
FORMAT = 2
CHECKS = {"lint": 1, "figures": 66}
# Each of these runs.
SWIFT_TESTS = 215
# By the names of scripts/test-*.sh; the cheapest comes first.
SCRIPTS = {
    "contract": 1, "images": 3, "checkers": 4, "client": 4, "docs": 12, "walkthrough": 14, "backup": 16, "mail": 18, "offline": 19,
    "packages": 20, "protocols": 33, "import": 34, "attacks": 56, "playground": 141,
}  # fmt: skip

# A step is ended after FACTOR times its usual seconds, and not before LEAST, so that what the tests wait for is named first: their
# own deadline is 300 seconds.
FACTOR = 5
LEAST = 420
# The seconds that a step has to clean up when it is ended.
GRACE = 15


def limit(usual):
    """The seconds after which a step is ended."""
    return max(LEAST, FACTOR * usual)
