/// What is meant to happen to mail.
enum MailDelivery: String, Sendable {
    /// SMTP_URL has to be set.
    case smtp
    /// Without SMTP_URL each mail is a file in TERTULIA_HOME/mail, in production, too.
    case files
}

extension Configuration {
    /// A server that people use must not keep their mail in files by an oversight, and `smtp` needs a server.
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

    /// Whether whoever reads the log may open the links of mails, which nobody gets.
    var logsMailLinks: Bool { smtp == nil && !isProduction }
}
