/// The intended delivery of mail.
enum MailDelivery: String, Sendable {
    /// Mail is sent; SMTP_URL has to be set.
    case smtp
    /// Without SMTP_URL each mail becomes a file in TERTULIA_HOME/mail, in production too.
    case files
}

extension Configuration {
    /// Checks that `smtp` has an SMTP_URL, and that a server in production keeps mail in files only if it was told to.
    ///
    /// - Throws: `CommandFailure`
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

    /// Whether the links of mails are logged: mails go to files, and the server is not in production.
    var logsMailLinks: Bool { smtp == nil && !isProduction }
}
