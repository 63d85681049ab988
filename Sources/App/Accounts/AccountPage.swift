import Cryptography

/// A page that the link of a mail opens. The link has the token in its fragment, which browsers do not send to the
/// server. The page's script passes the token to one mutation when the reader presses the button, not when the page
/// opens, because programs that scan mails open links too.
public struct AccountPage: Sendable {
    /// The page's path below PUBLIC_URL.
    public let path: String
    /// UTF-8.
    public let html: [UInt8]
    /// Allows the page's one script and one style sheet, by their hashes, and requests to this server.
    public let contentSecurityPolicy: String
    /// The text of the page's mutation.
    public let document: String

    /// All pages, for the server's routes.
    public static let all = [confirmEmail, resetPassword]

    static let confirmEmail = AccountPage(
        path: "confirm-email", title: "Confirm your e-mail address", fields: "", button: "Confirm",
        done: "Thank you: your e-mail address is confirmed.",
        document: """
            mutation ($input: ConfirmEmailInput!) { result: confirmEmail(input: $input) { userErrors { message } } }
            """)

    static let resetPassword = AccountPage(
        path: "reset-password", title: "Choose a new password",
        fields: """
            <label>New password <input type="password" name="newPassword" autocomplete="new-password" required></label>\
            <label>Once more \
            <input type="password" name="newPasswordConfirmation" autocomplete="new-password" required></label>
            """,
        button: "Change the password", done: "Your password is changed. Sign in with it from now on.",
        document: """
            mutation ($input: ResetPasswordInput!) { result: resetPassword(input: $input) { userErrors { message } } }
            """)

    private init(path: String, title: HTML, fields: HTML, button: HTML, done: HTML, document: String) {
        self.path = path
        self.document = document
        let page: HTML = """
            <!doctype html><html lang="en"><head><meta charset="utf-8">\
            <meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">\
            <title>\(title)</title><style>\(Self.style)</style></head><body><main><h1>\(title)</h1>\
            <form data-mutation="\(document)" data-done="\(done)">\(fields)<button>\(button)</button></form>\
            <p role="status"></p></main><script>\(Self.script)</script></body></html>
            """
        html = page.bytes
        func hash(_ part: HTML) -> String { "'sha256-\(Base64.standard.encode(SHA256.digest(of: part.bytes).bytes))='" }
        contentSecurityPolicy = [
            "default-src 'none'", "style-src \(hash(Self.style))", "script-src \(hash(Self.script))",
            "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        ].joined(separator: "; ")
    }

    private static let style: HTML = """
        body{margin:3rem auto;max-width:28rem;padding:0 1rem;font:1.125rem/1.6 system-ui,sans-serif;\
        color:#1f2937;background:#fff}h1{line-height:1.25}label{display:block;margin:1rem 0}\
        input,button{box-sizing:border-box;width:100%;padding:.5rem;font:inherit}\
        @media(prefers-color-scheme:dark){body{color:#e5e7eb;background:#111827}}
        """

    /// The addresses in the script are relative: PUBLIC_URL may have a path.
    private static let script: HTML = """
        const form = document.querySelector("form"), status = document.querySelector("[role=status]");
        form.addEventListener("submit", async event => {
          event.preventDefault();
          const button = form.querySelector("button");
          button.disabled = true;
          let problems;
          try {
            const response = await fetch("graphql", {
              method: "POST",
              headers: { "Content-Type": "application/json" },
              body: JSON.stringify({
                query: form.dataset.mutation,
                variables: { input: { token: location.hash.slice(1), ...Object.fromEntries(new FormData(form)) } },
              }),
            });
            const { data, errors } = await response.json();
            problems = errors ?? data.result.userErrors;
          } catch {
            problems = [{ message: "The server cannot be reached. Try again." }];
          }
          status.textContent = problems.length ? problems.map(it => it.message).join(" ") : form.dataset.done;
          form.hidden = problems.length === 0;
          button.disabled = false;
        });
        """
}
