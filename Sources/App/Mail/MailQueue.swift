import Auth
import Mail
import Postgres

/// Sends queued mails in the background. Several replicas share the queue. A mail is delivered at least once: if a
/// replica ends between sending a mail and deleting it from the queue, the mail is sent again.
public struct MailQueue: Sendable {
    private static let interval: Duration = .seconds(1)

    private let environment: Environment
    private let transport: any MailTransport
    private let from: Mailbox
    private let logsLinks: Bool

    /// - Parameter logsLinks: writes each link to the log, for a transport that delivers nothing. Whoever reads the log
    ///   can open the link.
    public init(_ environment: Environment, transport: any MailTransport, from: Mailbox, logsLinks: Bool = false) {
        (self.environment, self.transport, self.from, self.logsLinks) = (environment, transport, from, logsLinks)
    }

    /// Runs until the task is cancelled.
    public func run() async {
        await environment.worker("the mail queue", every: Self.interval) {
            try await sendNext() ? .atOnce : .afterInterval
        }.run()
    }

    /// Sends the next mail that is due.
    /// - Returns: false if no mail was due.
    func sendNext() async throws -> Bool {
        let leased = try await environment.pools.worker.run(LeaseMail()).compactMap { $0 }
        guard let mail = leased.first else { return false }
        guard try await isAllowed(mail), let message = try await message(for: mail) else {
            try await finish(mail.delete)
            return true
        }
        do {
            try await transport.send(message.mail)
            if logsLinks, let link = message.link {
                environment.logger.info("mail", metadata: ["subject": "\(message.mail.subject)", "link": "\(link)"])
            }
            try await finish(mail.delete)
        } catch let error as MailError {
            try await settle(mail, error)
        }
        return true
    }

    private func settle(_ mail: QueuedMail, _ error: MailError) async throws {
        let isLost = if case .permanent = error { true } else { mail.tries >= QueuedMail.maximumTries }
        environment.logger.log(
            level: isLost ? .error : .warning, isLost ? "a mail was given up" : "a mail is tried again later",
            metadata: ["mail": "\(mail.id)", "kind": "\(mail.kind.rawValue)", "error": "\(error)"])
        try await finish(isLost ? mail.delete : mail.postpone)
    }

    private func finish(_ statement: SQL) async throws {
        _ = try await environment.pools.worker.run(Segment([statement]))
    }

    /// Whether the recipient's rate allows the mail, whoever asked for it. Each kind of mail has its own bucket, so
    /// that one kind cannot use up another's.
    private func isAllowed(_ mail: QueuedMail) async throws -> Bool {
        let rate = environment.limits.recipientMails
        guard mail.kind.hasLink, mail.tries == 1, rate.quota > 0 else { return true }
        let bucket = TakeRate(rate: rate, bucket: "\(rate.name) \(mail.kind.rawValue) \(mail.recipient)")
        return try await environment.pools.worker.run(bucket).first?.isRefused == false
    }

    /// nil if the mail has become pointless.
    private func message(for mail: QueuedMail) async throws -> (mail: MailMessage, link: String?)? {
        guard let recipient = Mailbox(address: mail.recipient) else { return nil }
        // Each attempt has its own token, so that a used token is never issued again.
        let token = OneTimeToken(named: "\(mail.id) \(mail.tries)", environment.oneTimeTokenKey)
        let greeting = MailGreeting(mail: mail, tokenHash: token.hash.bytes)
        let rows = try await environment.pools.worker.run(Segment([greeting.lock, greeting.sql].compactMap { $0 }))
        guard let name = try rows.last?.decoded(by: greeting).first else { return nil }
        // A browser does not send the fragment, so the token appears in no server's log.
        let link = mail.kind.page.map { "\(environment.publicURL)/\($0)#\(token.text)" }
        let text = MailText(
            mail.kind, name: name, detail: mail.detail ?? "", link: link, site: environment.site)
        let message = MailMessage(
            from: from, to: recipient, subject: text.subject, text: text.text, html: text.html,
            id: mail.id.description, date: mail.createdAt.unixMilliseconds / 1000)
        return (message, link)
    }
}

extension MailKind {
    /// The page below PUBLIC_URL that the mail's link opens; nil for a mail without a link.
    var page: String? {
        switch self {
        case .confirmEmail: AccountPage.confirmEmail.path
        case .resetPassword: AccountPage.resetPassword.path
        case .passwordChanged, .emailChangeRequested, .emailChanged: nil
        }
    }

    var hasLink: Bool { page != nil }
}

extension Environment {
    /// The server's name in mails: the host of PUBLIC_URL.
    var site: String {
        let host = publicURL.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: true).dropFirst().first
        return String(host?.drop { $0 == "/" }.prefix { $0 != "/" } ?? "")
    }
}
