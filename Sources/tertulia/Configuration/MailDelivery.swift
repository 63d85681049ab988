/// The intended delivery of mail.
enum MailDelivery: String, Sendable {
    /// Mail is sent; SMTP_URL has to be set.
    case smtp
    /// Without SMTP_URL each mail becomes a file in TERTULIA_HOME/mail, in production too.
    case files
}

extension Configuration {
    /// Checks that MAIL=smtp comes with an SMTP_URL, and that a server in production writes mail to files only if it
    /// was told to.
    ///
    /// - Throws: `CommandFailure` if either does not hold.
    func checkMail() throws(CommandFailure) {
        if smtp == nil && mail == .smtp { throw CommandFailure("MAIL=smtp needs SMTP_URL.") }
        if smtp == nil && mail == nil && isProduction {
            throw CommandFailure(
                """
                In production nobody would get mail: set SMTP_URL, or MAIL=files if it is meant to be written to \
                \(home.appending("mail")).
                """)
        }
    }

    /// True if the links of mails are logged: mails go to files, and the server is not in production.
    var logsMailLinks: Bool { smtp == nil && !isProduction }
}
