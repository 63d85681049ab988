"""Accounts by mail, through a real SMTP server: mail.py TERTULIA DIRECTORY.

DIRECTORY holds authority.pem, and server.pem with server.key, which it signed for localhost.
"""

import email
import email.policy
import json
import logging
import os
import re
import signal
import ssl
import subprocess
import sys
import warnings

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword
from patience import DEADLINE, ask_again, eventually, is_repeatable, named, sign_up
from ports import free_port
from walkthrough.person import fetch

warnings.filterwarnings("ignore", "Session.login_data is deprecated")

USER, PASSWORD = "tertulia@relay", "p@ss:word/1"
FIRST_PASSWORD = "a long way to go"


class Inbox:
    """Keeps what arrives; refuses some recipients."""

    def __init__(self):
        self.mails = []
        self.refused = []

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("gone"):
            self.refused.append(address)
            return "550 5.1.1 no such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        self.mails.append(
            {
                "encrypted": session.ssl is not None,
                "authenticated": session.authenticated,
                "sender": envelope.mail_from,
                "recipients": list(envelope.rcpt_tos),
                "message": email.message_from_bytes(envelope.content, policy=email.policy.default),
            }
        )
        return "250 OK"

    def wait(self, recipient, subject):
        """The newest mail to a recipient about something; it is taken out."""

        def find():
            for mail in reversed(self.mails):
                if mail["recipients"] == [recipient] and mail["message"]["Subject"] == subject:
                    self.mails.remove(mail)
                    return mail
            return None

        return eventually(lambda: f"a mail to {recipient} about {subject!r}: {self.mails}", find)


def authenticate(server, session, envelope, mechanism, data):
    known = isinstance(data, LoginPassword) and (data.login, data.password) == (USER.encode(), PASSWORD.encode())
    return AuthResult(success=known)


class Server:
    """A Tertulia on a private cluster of its own."""

    def __init__(self, program, home, smtp_url):
        os.makedirs(home)
        # The private cluster's owner must be able to enter.
        os.chmod(home, 0o711)
        self.log_path = f"{home}/log"
        environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
        environment |= {"TERTULIA_HOME": home, "HOST": "127.0.0.1", "PORT": "0", "SHUTDOWN_DELAY": "0", "SMTP_URL": smtp_url,
                        "MAIL_FROM": "Tertulia <no-reply@tertulia.example>", "PUBLIC_URL": "https://tertulia.example"}
        with open(self.log_path, "wb") as log:
            self.process = subprocess.Popen([program, "serve"], env=environment, stdout=subprocess.PIPE, stderr=log)
        line = self.process.stdout.readline().decode()
        found = re.match(r"Tertulia serves (\S+/graphql),", line)
        if not found:
            raise SystemExit(f"the server did not start: {line}{self.log()}")
        self.address = found[1]

    def log(self):
        with open(self.log_path, encoding="utf-8") as log:
            return log.read()

    def run(self, document, session=None, **variables):
        """The data of a response, which is asked for again while the server is busy."""
        variables = named(variables)
        answer = ask_again(lambda: self.ask(document, variables, session), is_repeatable(document, variables))
        assert "errors" not in answer, answer
        return answer["data"]

    def ask(self, document, variables, session=None):
        headers = {"Content-Type": "application/json", "Accept": "application/graphql-response+json"}
        if session:
            headers["Authorization"] = f"Bearer {session}"
        body = json.dumps({"query": document, "variables": variables}).encode()
        return json.loads(fetch(self.address, body, headers)[2])

    def mutate(self, mutation, fields, session=None, **values):
        """The payload of a mutation with an input of these values."""
        document = f"mutation ($input: {mutation[0].upper()}{mutation[1:]}Input!) {{ {mutation}(input: $input) {{ {fields} }} }}"
        return self.run(document, session, input=values)[mutation]

    def sign_up(self, name):
        account = {"username": name, "email": f"{name}@example.org", "password": FIRST_PASSWORD}
        return sign_up(self.ask, account)["accessToken"]

    def sign_in(self, login, password):
        token = self.mutate("signIn", "accessToken", login=login, password=password)["accessToken"]
        assert token, f"{login} cannot sign in"
        return token

    def wait_for_log(self, text):
        eventually(lambda: f"{text!r} in the log: {self.log()}", lambda: text in self.log())

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(DEADLINE)


def link(mail, page):
    """The token of a mail whose text and HTML have the same link."""
    parts = {part.get_content_type(): part.get_content() for part in mail["message"].iter_parts()}
    assert list(parts) == ["text/plain", "text/html"], parts
    found = re.search(rf"^https://tertulia\.example/{page}#([\w-]{{43}})$", parts["text/plain"].replace("\r", ""), re.M)
    assert found, parts["text/plain"]
    assert f'<a href="{found[0]}">{found[0]}</a>' in parts["text/html"], parts["text/html"]
    return found[1]


def scenario(server, inbox):
    token = server.sign_up("ana")
    mail = inbox.wait("ana@example.org", "Confirm your e-mail address")
    assert mail["encrypted"] and mail["authenticated"], mail
    assert mail["sender"] == "no-reply@tertulia.example", mail
    message = mail["message"]
    assert message["From"] == "Tertulia <no-reply@tertulia.example>", message["From"]
    assert message["Message-ID"].endswith("@tertulia.example>"), message["Message-ID"]
    assert message["Auto-Submitted"] == "auto-generated"
    viewer = server.mutate(
        "confirmEmail", "viewer { email emailVerified } userErrors { code }", token, token=link(mail, "confirm-email"))
    assert viewer == {"viewer": {"email": "ana@example.org", "emailVerified": True}, "userErrors": []}, viewer
    print("  sign-up: confirmed by the mail's link, sent encrypted and authenticated")

    server.mutate("changeEmail", "userErrors { code }", token, password=FIRST_PASSWORD, newEmail="ana@example.net")
    told = inbox.wait("ana@example.org", "Your e-mail address is to change")
    assert "ana@example.net" in told["message"].get_body(("plain",)).get_content()
    asked = inbox.wait("ana@example.net", "Confirm your e-mail address")
    changed = server.mutate(
        "confirmEmail", "viewer { email pendingEmail }", token, token=link(asked, "confirm-email"))["viewer"]
    assert changed == {"email": "ana@example.net", "pendingEmail": None}, changed
    inbox.wait("ana@example.org", "Your e-mail address was changed")
    print("  change of the address: asked at the new one, told to the old one")

    for address in ["ana@example.net", "nobody@example.org"]:
        answer = server.mutate("requestPasswordReset", "userErrors { code }", email=address)
        assert answer == {"userErrors": []}, answer
    reset = inbox.wait("ana@example.net", "Reset your password")
    new = "a long quiet evening"
    answer = server.mutate("resetPassword", "userErrors { code }", token=link(reset, "reset-password"), newPassword=new)
    assert answer == {"userErrors": []}, answer
    inbox.wait("ana@example.net", "Your password was changed")
    server.sign_in("ana", new)
    print("  reset of the password: by the mail's link")

    server.sign_up("gone")
    server.wait_for_log("a mail was given up")
    assert inbox.refused == ["gone@example.org"], inbox.refused
    assert not inbox.mails, inbox.mails
    print("  a mailbox that does not exist is tried once; nobody else was written to")


def main():
    program, directory = sys.argv[1:]
    # A client that does not trust the certificate is what is wanted.
    logging.getLogger("mail.log").setLevel(logging.CRITICAL)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{directory}/server.pem", f"{directory}/server.key")
    inbox, plain = Inbox(), Inbox()
    relay = Controller(
        inbox, hostname="127.0.0.1", port=0, tls_context=context, require_starttls=True,
        authenticator=authenticate, auth_required=True)
    bare = Controller(plain, hostname="127.0.0.1", port=0)
    servers = []
    try:
        ports = []
        for controller in (relay, bare):
            controller.port = free_port()
            controller.start()
            ports.append(controller.port)
        credentials = "tertulia%40relay:p%40ss%3Aword%2F1"
        authority = f"ca={directory}/authority.pem"
        server = Server(program, f"{directory}/one", f"smtp://{credentials}@localhost:{ports[0]}?{authority}")
        servers.append(server)
        scenario(server, inbox)

        # A server whose certificate nobody vouches for, and one that encrypts nothing: no mail is handed to either.
        for name, url, target in [
            ("two", f"smtp://{credentials}@localhost:{ports[0]}", inbox),
            ("three", f"smtp://localhost:{ports[1]}?{authority}", plain),
        ]:
            server = Server(program, f"{directory}/{name}", url)
            servers.append(server)
            server.sign_up("ben")
            server.wait_for_log("a mail is tried again later")
            assert not target.mails, target.mails
        print("  an unknown certificate, or no encryption: the mail waits")

        server = Server(program, f"{directory}/four", f"smtp://localhost:{ports[1]}?encryption=opportunistic")
        servers.append(server)
        server.sign_up("ben")
        assert not plain.wait("ben@example.org", "Confirm your e-mail address")["encrypted"]
        print("  without encryption where that is asked for")
    finally:
        for server in servers:
            server.stop()
        for controller in (relay, bare):
            controller.stop()


main()
