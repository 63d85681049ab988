"""The steps of scripts/test, and the seconds that each usually takes on two quiet cores in a new clone."""

# In this order; a failure of one of these ends the run. What is fetched takes as long as the network. A build takes 620 seconds
# on two quiet cores, and took more than 2,300 beside a load of ten.
PREPARE_LIMIT = BUILD_LIMIT = 3_600
FORMAT = 2
CHECKS = {"lint": 1, "figures": 75}
# Each of these runs.
SWIFT_TESTS = 380
# By the names of scripts/test-*.sh; the cheapest comes first.
SCRIPTS = {
    "contract": 1, "images": 5, "client": 5, "checkers": 7, "walkthrough": 13, "backup": 13, "docs": 14, "mail": 17, "packages": 27,
    "offline": 30, "protocols": 37, "import": 43, "attacks": 121, "playground": 178,
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
