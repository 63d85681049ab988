"""reswift: every action of the library, the errors that it tells apart, and writes without a network."""

import asyncio
import types

from walkthrough.accounts import token

from .world import PASSWORD


async def walk(world):
    ana, ben = await world.instance("ana"), await world.instance("ben")
    await ana.until("account: nobody")
    await ana.type("id")
    await ana.until("» UserAuthFailed(missingUserID)")
    for person in ana, ben:
        await person.type("signup", f"{person.name}@example.org", person.name, PASSWORD)
        await person.until("account: viewer_", "» UserLoggedIn", "» UserAuthenticationAction(signedUp)")
        await person.type("subscribe notes/serious")
        await person.until("notes/serious: subscribed", "» ObjectSubscribed(true)")
    await ana.type("subscribe notes/serious")
    await ana.until("! notes/serious is subscribed to already.")

    # Create, overwrite, partial update, read then write, remove; each on the other device too.
    await ana.type("create", "Shopping", "Milk")
    for person in ana, ben:
        await person.until("1. Shopping: Milk (ana)", "» ObjectAdded")
    await ana.type("update 1 Milk and bread")
    for person in ana, ben:
        await person.until("1. Shopping: Milk and bread (ana)", "» ObjectChanged")
    await ana.type("title 1 To buy")
    await ben.until("1. To buy: Milk and bread (ana)")
    await ana.type("append 1 , eggs")
    await ben.until("1. To buy: Milk and bread, eggs (ana)")
    await ana.type("overwrite 1", "", "Nothing")
    for person in ana, ben:
        await person.until("1. Nothing (ana)")
    await ben.type("update 1 Everything")
    await ben.until("1. Nothing (ana)", "! ", without=["⧗"])
    await ana.type("create", "", "Second")
    for person in ana, ben:
        await person.until("1. Second (ana)", "2. Nothing (ana)")
    await ana.type("remove 2")
    for person in ana, ben:
        await person.until("1. Second (ana)", "» ObjectRemoved", without=["Nothing"])
    await ana.type("read thought_00000000000000000000000000")
    await ana.until("» ObjectErrored(noData)")

    other = await offline(world, ana, ben)
    await account(world, ana, other)


async def offline(world, ana, ben):
    """What is written without a network is there once, but for what somebody else has changed meanwhile."""
    await world.stop_server()
    await ana.until("notes/serious: not subscribed", "» ObjectSubscribed(false)")
    await ana.type("create", "", "From a mountain")
    await ana.until("From a mountain", "⧗ 1 to send")
    await ana.type("update 1 Second, edited on the way")
    await ana.until("Second, edited on the way (ana)", "⧗ 2 to send")
    await ana.restart()
    await ana.until("account: viewer_", "» UserIdentified", "⧗ 2 to send")
    await ana.type("subscribe notes/serious")
    await ana.until("Second, edited on the way (ana)", "From a mountain", "⧗ 2 to send")
    await world.resume_server()
    for person in ana, ben:
        await person.until(
            "notes/serious: subscribed", "1. From a mountain (ana)", "2. Second, edited on the way (ana)", without=["⧗"])
    assert await world.count("select count(*) from thoughts where text = 'From a mountain'") == 1

    # Read then write: another device of ana's is first.
    other = await world.instance("another device of ana's")
    await other.until("account: nobody")
    await other.type("login", "ana", PASSWORD)
    await other.until("» UserLoggedIn")
    await other.type("subscribe notes/serious")
    await other.until("1. From a mountain (ana)")
    await world.stop_server()
    await ana.until("notes/serious: not subscribed")
    await ana.type("append 1 , with snow")
    await ana.until("From a mountain, with snow", "⧗ 1 to send")
    await ana.kill()
    await world.resume_server()
    await other.until("notes/serious: subscribed")
    await other.type("update 1 From a valley")
    await ben.until("1. From a valley (ana)")
    await ana.start()
    await ana.until("! Somebody else changed it meanwhile.")
    await ana.type("subscribe notes/serious")
    await ana.until("notes/serious: subscribed", "1. From a valley (ana)", without=["⧗"])
    return other


async def account(world, ana, other):
    """Each call about the account has an error of its own."""
    await ana.type("password", "not the password", "another long evening")
    await ana.until("» UserAuthFailed(changePassword(")
    await ana.type("password", PASSWORD, "another long evening")
    await ana.until("» UserAuthenticationAction(passwordChanged)")
    # A new password ends the other sessions, and the other device is told.
    await other.until("account: nobody", "» UserAuthFailed(sessionEnded(", "» UserLoggedOut", without=["From a valley"])
    await ana.type("email", "ana@example.net", "not the password")
    await ana.until("» UserAuthFailed(changeEmail(")
    await ana.type("email", "ana@example.net", "another long evening")
    await ana.until("» UserAuthenticationAction(emailChanged)")
    await ana.type("logout")
    await ana.until("account: nobody", "» UserLoggedOut", without=["From a valley"])
    await ana.type("login", "ana", PASSWORD)
    await ana.until("account: nobody", "» UserAuthFailed(logIn(")
    await ana.type("signup", "ben@example.org", "cleo", PASSWORD)
    await ana.until("account: nobody", "» UserAuthFailed(signUp(")
    await ana.type("newpassword none another evening")
    await ana.until("» UserAuthFailed(resetPassword(")
    await ana.type("reset ana@example.org")
    await ana.until("» UserAuthenticationAction(passwordReset)")
    mails = types.SimpleNamespace(mail=world.home / "mail")
    secret = await asyncio.to_thread(token, mails, "ana@example.org", "Reset", set())
    await ana.type(f"newpassword {secret} a third long evening", "login", "ana", "a third long evening")
    await ana.until("account: viewer_", "» UserLoggedIn")
