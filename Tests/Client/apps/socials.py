"""socials: its screens, the ways in which signing up fails, and events made without a network."""

from .world import PASSWORD


async def walk(world):
    # The seeded test account.
    await world.sign_up("tess")
    ana, ben = await world.instance("ana"), await world.instance("ben")
    await ben.until("socials · Sign in")
    await ben.type("signin", "tess@example.org", PASSWORD)
    await ben.until("socials · Events · live")

    await ana.until("socials · Sign in")
    for form, refusal in [
        (["Ana Ruiz", "ana@example.org", "ana", PASSWORD, "another one"], "! The passwords differ."),
        (["", "ana@example.org", "ana", PASSWORD, PASSWORD], "! Full name is missing."),
        (["Ana Ruiz", "ana@example.org", "ana", "password", "password"], "! The password is weak"),
        (["Ana Ruiz", "tess@example.org", "ana", PASSWORD, PASSWORD], "! This e-mail address has an account: sign in."),
    ]:
        await ana.type("signup", *form)
        await ana.until("socials · Sign in", refusal)
    await ana.type("signup", "Ana Ruiz", "ana@example.org", "ana", PASSWORD, PASSWORD)
    await ana.until("socials · Events · live")
    assert ana.has_shown("… signing up"), "nothing told that it was working"

    # Create, with a picture and without one; the feed is in the order of time, on the other device too.
    await ana.type("create", "Concert", str(world.picture("band.png", 60, 30)), "Two guitars and a cello.",
                   "2031-06-02 20:00", "2031-06-02 22:30")  # fmt: skip
    for person in ana, ben:
        await person.until("1. Ana Ruiz: Concert · 2031-06-02 20:00", "█ http", "0 interested", without=["⧗"])
    await ben.type("create", "Picnic", "", "Bring something.", "2031-06-01 12:00", "2031-06-01 16:00")
    for person in ana, ben:
        await person.until("1. tess: Picnic · 2031-06-01 12:00", "2. Ana Ruiz: Concert", without=["⧗"])
    for form, refusal in [
        (["Long", "", "x" * 141, "2031-06-01 12:00", "2031-06-01 16:00"], "! The description has more than 140 characters."),
        (["Big", str(world.picture("big.png", 10, 10, size=(1 << 20) + 1)), "x", "2031-06-01 12:00", "2031-06-01 16:00"],
         "! big.png has more than 1 MB."),
        (["Back", "", "x", "2031-06-01 12:00", "2031-06-01 11:00"], "! "),
        (["No picture", str(world.file("text.png", b"no picture")), "x", "2031-06-01 12:00", "2031-06-01 16:00"], "! "),
    ]:  # fmt: skip
        await ben.type("create", *form)
        await ben.until("2. Ana Ruiz: Concert", refusal, without=["3. ", "⧗"])
    # Neither the event nor the picture of what was refused.
    assert await world.count("select count(*) from events") == 2
    assert await world.count("select count(*) from images") == 1

    # Detail, RSVP and cancel, and what only its owner may do.
    await ben.type("open 2")
    await ben.until("socials · Event", "Concert by Ana Ruiz", "2031-06-02 20:00 to 2031-06-02 22:30", "Two guitars and a cello.",
                    "╰─ rsvp · back")  # fmt: skip
    await ben.type("rsvp")
    await ben.until("1 interested", "╰─ cancel · back", without=["⧗"])
    await ana.until("2. Ana Ruiz: Concert", "1 interested", without=["you too"])
    await ben.type("cancel")
    await ben.until("0 interested", "╰─ rsvp · back", without=["⧗"])
    await ben.type("rsvp")
    await ben.until("1 interested", without=["⧗"])
    await ben.type("delete")
    await ben.until("! That is somebody else's event.")
    await ben.type("back", "account")
    await ben.until("socials · Account", "username: tess", "e-mail: tess@example.org", "interested in: Concert")
    await ben.type("back")
    assert await world.ask("{ viewer { email } }") == {"viewer": None}

    await offline(world, ana, ben)

    await ana.type("open 3")
    await ana.until("socials · Event", "Concert", "delete")
    await ana.type("delete")
    for person in ana, ben:
        await person.until("socials · Events", "2. tess: Picnic", without=["Concert", "⧗"])
    await ben.type("logout")
    await ben.until("socials · Sign in", without=["Picnic"])


async def offline(world, ana, ben):
    """An event with its picture, an answer and a withdrawn answer, written without a network, are there once."""
    await world.stop_server()
    await ben.until("socials · Events · offline")
    await ben.type("open 2", "cancel", "back", "open 1", "rsvp", "back")
    await ben.until("1. tess: Picnic", "1 interested, you too", "0 interested", "⧗ 2 to send")
    await ben.type("create", "Sunrise", str(world.picture("hill.png", 30, 30)), "Early.", "2031-05-31 05:00", "2031-05-31 07:00")
    await ben.until("Sunrise", "⧗ 3 to send")
    await ben.restart()
    await ben.until("Picnic", "1 interested, you too", "0 interested", "Sunrise", "⧗ 3 to send", without=["live"])
    await ben.type("account")
    await ben.until("socials · Account", "username: tess")
    await ben.type("back")
    await world.resume_server()
    await ben.until("1. tess: Sunrise", "2. tess: Picnic", "1 interested, you too", "3. Ana Ruiz: Concert", without=["⧗"])
    await ana.until("1. tess: Sunrise", "2. tess: Picnic", "1 interested", "3. Ana Ruiz: Concert", without=["you too"])
    assert await world.count("select count(*) from events where name = 'Sunrise' and image_id is not null") == 1
    assert await world.count("select count(*) from event_rsvps") == 1
