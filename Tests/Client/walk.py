"""Walks through Tertulia as new users would: walk.py URL [--mail DIRECTORY]

URL is the server's address; DIRECTORY is where it writes its mails, TERTULIA_HOME/mail, for what they prove. Ends with 1 at
the first surprise, and where the server can do something that this does not walk through.
"""

import argparse
import sys

from walkthrough import accounts, discovery, images, people, safety, thoughts
from walkthrough.person import Server, Surprise, expect


def walk(server):
    has = server.mutations.__contains__
    skipped = set()

    def chapter(title):
        print(title, flush=True)

    chapter("Arriving")
    nobody, ana, ben = accounts.arrive(server)
    chapter("Thoughts")
    thought, word = thoughts.write(ana, ben)
    zoe = accounts.guest(server, thought)
    zoe.do("unlikeThought", thoughtId=thought)
    thoughts.judge(ana, ben, thought)
    thoughts.talk(ana, ben, thought)
    thoughts.remove(ana)
    if has("uploadImage"):
        chapter("Images")
        images.show(ana, thought)
    chapter("Events and chat")
    people.meet(ana, ben)
    people.write_to_each_other(server, ana, ben, zoe)
    chapter("Notifications")
    people.hear(server, ana)
    chapter("Discovery")
    discovery.search(ana, thought, word)
    discovery.live(ana, ben)
    if has("blockUser"):
        chapter("Safety")
        safety.block(ana, zoe, thought)
        safety.report(ana, ben, thought)
    chapter("The account")
    accounts.sessions(server, ana)
    if has("updateProfile"):
        accounts.profile(server, ana)
        skipped |= accounts.mails(server, ana)
    if "analytics" in server.queries:
        discovery.administer(ana)
    if has("deleteAccount"):
        accounts.leave(server, ana, thought)
    chapter("Operating")
    discovery.operate(server)
    rest = [name for name in server.unwalked() if name not in skipped]
    expect(not rest, f"not walked: {', '.join(rest)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("url")
    parser.add_argument("--mail", help="where the server writes its mails")
    arguments = parser.parse_args()
    try:
        walk(Server(arguments.url, arguments.mail))
    except (Surprise, AssertionError) as surprise:
        sys.exit(f"SURPRISE: {surprise}")
    print("Walked through everything.")


main()
