"""Signing up and in, sessions, the profile, mails, and leaving."""

import email
import email.policy
import glob
import re

from patience import codes_of, eventually

from .person import Person, expect, say

SESSION = "accessToken refreshToken session { id } viewer { id isAnonymous user { id username } }"


def arrive(server):
    """Ana and Ben sign up; a guest looks around first."""
    nobody = Person(server)
    expect(nobody.ask("{ viewer { id } }")["viewer"] is None, "somebody signed out has an account")
    nobody.refused("createThought", "UNAUTHENTICATED", category="FUNNY", text="Hello?")
    ana, ben = Person(server, "Ana").sign_up(), Person(server, "Ben").sign_up()
    say(f"Ana and Ben signed up as {ana.username} and {ben.username}.")
    twice = Person(server, "Ana")
    twice.refused("signUp", "TAKEN", username=ana.username, email=twice.email, password=twice.password)
    twice.refused("signUp", "WEAK_PASSWORD", username=twice.username, email=twice.email, password="password1")
    say("A taken name and a common password were refused.")
    return nobody, ana, ben


def guest(server, thought):
    """Likes before signing up, and keeps the like."""
    zoe = Person(server, "Zoe")
    session = zoe.take(zoe.ask(f"mutation {{ signInAnonymously {{ {SESSION} userErrors {{ code }} }} }}")["signInAnonymously"])
    expect(session["viewer"]["isAnonymous"], "the guest is not anonymous")
    zoe.do("likeThought", thoughtId=thought)
    zoe.refused("addComment", "FORBIDDEN", subjectId=thought, text="May I?")
    before = session["viewer"]["user"]["id"]
    zoe.sign_up()
    expect(zoe.id == before, "signing up gave the guest another account")
    liked = zoe.ask("{ viewer { likedThoughts { nodes { id } } } }")["viewer"]["likedThoughts"]["nodes"]
    expect([node["id"] for node in liked] == [thought], "the guest's like is gone")
    say("A guest liked a thought, could not comment, signed up and kept the like.")
    return zoe


def sessions(server, ana):
    phone = Person(server, "Ana")
    begun = phone.take(phone.do("signIn", SESSION, login=ana.username, password=ana.password))["session"]["id"]
    Person(server).refused("signIn", "WRONG_CREDENTIALS", login=ana.username, password="not this one")
    # A sign-in that was late has begun one more session than its repeat tells of.
    listed = ana.ask("{ viewer { sessions { id isCurrent userAgent } } }")["viewer"]["sessions"]
    others = [session["id"] for session in listed if not session["isCurrent"]]
    expect(len(others) == len(listed) - 1 and begun in others, f"sessions: {listed}")
    old = phone.refresh_token
    phone.take(phone.do("refreshSession", SESSION, refreshToken=old))
    expect(phone.refresh_token != old, "the refresh token was not replaced")
    say("Ana signed in on her phone, and its session was refreshed.")
    if "revokeOtherSessions" in server.mutations:
        ana.do("revokeOtherSessions", "revokedSessionIds")
        ended(phone)
        tablet = Person(server, "Ana")
        session = tablet.take(tablet.do("signIn", SESSION, login=ana.email, password=ana.password))
        ana.do("revokeSession", "revokedSessionIds", sessionId=session["session"]["id"])
        ended(tablet)
        say("She ended the phone's session, and the tablet's, from her own.")
    again = Person(server, "Ana")
    again.take(again.do("signIn", SESSION, login=ana.username, password=ana.password))
    again.do("signOut")
    ended(again)


def ended(person):
    """A revocation takes effect a moment after the answer."""
    eventually("the end of a session", lambda: codes_of(person.answer("{ viewer { id } }")) == ["UNAUTHENTICATED"])


def profile(server, ana):
    viewer = "viewer { user { displayName bio } }"
    changed = ana.do("updateProfile", viewer, displayName="Ana María", bio="I write in the evening.")["viewer"]["user"]
    expect(changed == {"displayName": "Ana María", "bio": "I write in the evening."}, f"profile: {changed}")
    found = ana.ask("query ($name: String!) { user(by: { username: $name }) { id bio } }", name=ana.username)["user"]
    expect(found["id"] == ana.id and found["bio"] == "I write in the evening.", "others see another profile")
    new = f"{ana.password}, later"
    ana.refused("changePassword", "WRONG_CREDENTIALS", currentPassword="not this one", newPassword=new)
    ana.do("changePassword", "viewer { id }", currentPassword=ana.password, newPassword=new)
    ana.password = new
    say("Ana changed her name, her bio and her password.")


def mails(server, ana):
    """Confirmations and a reset, by the links of the mails."""
    if server.mail is None:
        ana.do("requestEmailConfirmation", "viewer { id }")
        Person(server).do("requestPasswordReset", email=f"nobody.{ana.email}")
        say("No --mail: what mails prove is not walked.")
        return {"changeEmail", "confirmEmail", "resetPassword"}
    # The link of the first mail went with the old password.
    read = set(glob.glob(f"{server.mail}/*.eml"))
    ana.do("requestEmailConfirmation", "viewer { id }")
    ana.do("confirmEmail", "viewer { emailVerified }", token=token(server, ana.email, "onfirm", read))
    expect(ana.ask("{ viewer { emailVerified } }")["viewer"]["emailVerified"], "the address is not confirmed")
    new = f"new.{ana.email}"
    ana.do("changeEmail", "viewer { pendingEmail }", password=ana.password, newEmail=new)
    ana.do("confirmEmail", "viewer { email }", token=token(server, new, "onfirm", read))
    expect(ana.ask("{ viewer { email } }")["viewer"]["email"] == new, "the address has not changed")
    ana.email = new
    Person(server).do("requestPasswordReset", email=ana.email)
    Person(server).do("requestPasswordReset", email=f"nobody.{ana.email}")
    ana.password = f"{ana.password} once more"
    reset = token(server, ana.email, "assword", read)
    Person(server).do("resetPassword", token=reset, newPassword=ana.password)
    Person(server).refused("resetPassword", "EXPIRED", token=reset, newPassword=ana.password)
    ended(ana)
    ana.token = None
    ana.take(ana.do("signIn", SESSION, login=ana.email, password=ana.password))
    say("Ana confirmed her address, changed it, and set a new password by mail; its link worked once.")
    return set()


def token(server, address, subject, read):
    """Of the link in a mail that was not read yet; mails are written a moment after the answer."""

    def find():
        for path in set(glob.glob(f"{server.mail}/*.eml")) - read:
            with open(path, "rb") as file:
                mail = email.message_from_binary_file(file, policy=email.policy.default)
            if mail["To"] and address == mail["To"].addresses[0].addr_spec and subject in mail["Subject"]:
                read.add(path)
                return mail.get_body(("plain",)).get_content()
        return None

    text = eventually(f"a mail to {address} about {subject!r}", find)
    found = re.search(r"https?://\S+#([\w-]{43})\b", text)
    expect(found, f"no link in: {text}")
    return found.group(1)


def leave(server, person, thought):
    """The account goes with all that it owns."""
    name = person.username
    person.do("deleteAccount", password=person.password)
    ended(person)
    read = "query ($name: String!, $id: ID!) { user(by: { username: $name }) { id } thought(id: $id) { id } }"
    gone = {"user": None, "thought": None}
    eventually("the end of an account's data", lambda: Person(server).ask(read, name=name, id=thought) == gone)
    say(f"{person.name} deleted the account, and what it had written is gone.")
