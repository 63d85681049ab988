"""An account that somebody else reached first is its owner's alone after a reset, and a session that has ended rings no
device."""

import email
import email.policy
import glob
import http.server
import re
import threading
import uuid

from patience import ask_again, eventually, is_repeatable

# A client of its own, whose sign-ins are counted apart.
SOURCE = "127.210.0.1"
# The keys of a browser: RFC 8291, section 5.
KEYS = {"p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg"}
SESSION = "accessToken refreshToken session { id }"


def attacks(server):
    yield "an account made with its owner's address", lambda: made_with_address(server)
    yield "a change of address from before the password changed", lambda: password_changed(server)
    yield "an address that looks like another's", lambda: equal_address(server)
    for how in ("signOut", "revokeSession", "revokeOtherSessions", "changePassword", "resetPassword"):
        yield f"a device that goes on ringing after {how}", lambda how=how: ended_session(server, how)


class Person:
    """A client with an account or none."""

    def __init__(self, server, address=None):
        self.server = server
        self.name = "t" + uuid.uuid4().hex[:12]
        self.address = address or f"{self.name}@example.org"
        self.password = "a long quiet evening"
        self.session = {}

    def ask(self, document, **variables):
        body = {"query": document, "variables": variables}
        return ask_again(
            lambda: self.server.post(body, self.session.get("accessToken"), source=SOURCE),
            is_repeatable(document, variables), lambda answer: answer.codes)

    def send(self, name, selection="", **given):
        given = {"clientMutationId": uuid.uuid4().hex} | given
        document = (f"mutation ($input: {name[0].upper()}{name[1:]}Input!) "
                    f"{{ {name}(input: $input) {{ {selection} userErrors {{ code }} }} }}")
        return self.ask(document, input=given)

    def do(self, name, selection="", **given):
        answer = self.send(name, selection, **given)
        assert not answer.errors and not answer[name]["userErrors"], answer
        return answer[name]

    def sign_up(self):
        account = {"username": self.name, "email": self.address, "password": self.password}
        self.session = self.do("signUp", SESSION, **account)
        return self

    def sign_in(self):
        """Another session of the account, on another device."""
        other = Person(self.server, self.address)
        other.password = self.password
        other.session = other.do("signIn", SESSION, login=self.address, password=self.password)
        return other

    def reset(self, password):
        """By the link of a mail, which only the owner of the address has."""
        read = set(mails(self.server))
        stranger = Person(self.server)
        stranger.do("requestPasswordReset", email=self.address)
        stranger.do("resetPassword", token=link(self.server, self.address, read), newPassword=password)
        self.password = password

    def registers(self, device):
        self.do("registerPushDevice", "pushDevice { id }", target={"webPush": {"endpoint": device} | KEYS})

    def viewer(self, fields):
        return self.ask(f"{{ viewer {{ {fields} }} }}")


def mails(server):
    return glob.glob(f"{server.home}/mail/*.eml")


def link(server, address, read):
    """The token of the first mail to an address that is not among those read."""
    return eventually(f"a mail to {address}", lambda: next(iter(links(server, address, read)), None))


def links(server, address, read=()):
    for path in sorted(set(mails(server)) - set(read)):
        with open(path, "rb") as file:
            message = email.message_from_binary_file(file, policy=email.policy.default)
        token = re.search(r"#([A-Za-z0-9_-]{43})", message.get_body(("plain",)).get_content())
        if address in message["To"] and token:
            yield token[1]


class PushService:
    """Notes which devices rang, by the names in their addresses."""

    def __enter__(self):
        rung = self.rung = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                rung.append(self.path[1:])
                self.send_response(201)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.listener = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.listener.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.listener.shutdown()
        self.listener.server_close()

    def device(self, name):
        return f"http://127.0.0.1:{self.listener.server_port}/{name}"

    def ring(self, fan, thought, device):
        """Comments twice and waits for the device each time. When the second push arrives, the pushes that the first comment
        queued for other devices have been sent."""
        for _ in range(2):
            before = self.rung.count(device)
            fan.do("addComment", subjectId=thought, text="Hear, hear.")
            eventually(f"the push for {device}", lambda: self.rung.count(device) > before)


def made_with_address(server):
    """An intruder signs up with the address of somebody else and prepares its move to another."""
    owner = Person(server)
    intruder = Person(server, owner.address).sign_up()
    target = f"i{uuid.uuid4().hex[:12]}@example.org"
    intruder.do("changeEmail", password=intruder.password, newEmail=target)
    token = link(server, target, ())
    thought = intruder.do("createThought", "thought { id }", category="FUNNY", text="x")["thought"]["id"]
    with PushService() as service:
        intruder.registers(service.device("intruder"))
        owner.reset("the owner's own words")
        refuses_intruder(server, owner, intruder, token, target)
        mine = owner.sign_in()
        mine.registers(service.device("owner"))
        service.ring(Person(server).sign_up(), thought, "owner")
        assert "intruder" not in service.rung, service.rung
    assert intruder.viewer("id").codes == ["UNAUTHENTICATED"]
    refreshed = Person(server).send("refreshSession", "accessToken", refreshToken=intruder.session["refreshToken"])
    assert refreshed.codes == ["UNAUTHENTICATED"], refreshed


def password_changed(server):
    """An intruder who knows the password asks for a change of address, and the owner changes the password."""
    owner = Person(server).sign_up()
    intruder = owner.sign_in()
    target = f"i{uuid.uuid4().hex[:12]}@example.org"
    intruder.do("changeEmail", password=owner.password, newEmail=target)
    token = link(server, target, ())
    password = "the owner's other words"
    owner.do("changePassword", currentPassword=owner.password, newPassword=password)
    owner.password = password
    refuses_intruder(server, owner, intruder, token, target)
    assert owner.viewer("id")["viewer"], "the owner's session has ended"


def equal_address(server):
    """Characters that are not seen make neither another account nor another login, and mails go to the owner."""
    owner = Person(server).sign_up()
    local, domain = owner.address.split("@")
    for typed in (f"\u200b{owner.address}", f"{owner.address}\ufeff", f"\u2067{owner.address}\u2069",
                  f"{local}@\uff45xample.org", f"{local.upper()}@example\u3002org"):
        answer = Person(server).send("signUp", "accessToken", email=typed, password="a long quiet evening")
        assert answer["signUp"]["userErrors"] == [{"code": "TAKEN"}], (typed, answer)
        signed_in = Person(server).send("signIn", "viewer { email }", login=typed, password=owner.password)
        assert signed_in["signIn"]["viewer"]["email"] == owner.address, (typed, signed_in)
    for hidden in "\u200b\u200d\u202e\u2060\u00ad\u034f\ufe0f\u3164\U000e0061\ufff9\u0085":
        for typed in (f"{local[:3]}{hidden}{local[3:]}@{domain}", f"{local}@{domain[:3]}{hidden}{domain[3:]}"):
            answer = Person(server).send("signUp", "accessToken", email=typed, password="a long quiet evening")
            assert answer["signUp"]["userErrors"] == [{"code": "INVALID"}], (typed, answer)
    owner.reset("quite another evening")


def refuses_intruder(server, owner, intruder, token, target):
    """Neither the old link nor a new one moves the account, nor does the old password sign in."""
    read = set(mails(server))
    mine = owner.sign_in()
    assert mine.viewer("email pendingEmail")["viewer"] == {"email": owner.address, "pendingEmail": None}
    mine.do("requestEmailConfirmation")
    confirmed = Person(server).send("confirmEmail", token=token)
    assert confirmed["confirmEmail"]["userErrors"] == [{"code": "EXPIRED"}], confirmed
    signed_in = Person(server).send("signIn", login=owner.address, password=intruder.password)
    assert signed_in["signIn"]["userErrors"] == [{"code": "WRONG_CREDENTIALS"}], signed_in
    assert mine.viewer("email")["viewer"]["email"] == owner.address
    # Mails are sent in the order in which they were queued.
    Person(server).do("requestPasswordReset", email=owner.address)
    link(server, owner.address, read)
    assert not list(links(server, target, read)), "the intruder got another link"


def ended_session(server, how):
    owner = Person(server).sign_up()
    fan = Person(server).sign_up()
    thought = owner.do("createThought", "thought { id }", category="FUNNY", text="x")["thought"]["id"]
    phone = owner.sign_in()
    with PushService() as service:
        owner.registers(service.device("laptop"))
        phone.registers(service.device("phone"))
        service.ring(fan, thought, "laptop")
        eventually("the phone's pushes", lambda: service.rung.count("phone") == 2)
        match how:
            case "signOut":
                phone.do("signOut")
            case "revokeSession":
                owner.do("revokeSession", sessionId=phone.session["session"]["id"])
            case "revokeOtherSessions":
                owner.do("revokeOtherSessions")
            case "changePassword":
                owner.do("changePassword", currentPassword=owner.password, newPassword="quite another evening")
            case "resetPassword":
                owner.reset("quite another evening")
                owner.sign_in().registers(service.device("laptop"))
        service.ring(fan, thought, "laptop")
        assert service.rung.count("phone") == 2, service.rung
