/// The rates that count by account, by network or by a mail's recipient, the quota of images, and the number of failed
/// sign-ins before back-off.
public struct AccountLimits: Sendable {
    /// Mutations, by account.
    public var writes = Rate("writes", 120, in: 60)
    /// Messages sent, by account.
    public var messages = Rate("messages", 60, in: 60)
    /// Images uploaded, by account.
    public var uploads = Rate("uploads", 30, in: 60)
    /// The bytes of all images of an account.
    public var imageQuota = 100 << 20
    /// Sign-ups, by network. A `changeEmail` with a wrong or missing password, which says whether an account has the
    /// new address, counts as well.
    public var signUps = Rate("sign-ups", 60, in: 60)
    /// Sign-ins without a valid device token, by network. A sign-in with a valid device token counts as well if
    /// back-off or `deviceSignIns` refuses it. The rate `tokens` has the same quota and window.
    public var signIns = Rate("sign-ins", 30, in: 300)
    /// Sign-ins with a valid device token, by account.
    public var deviceSignIns = Rate("device-sign-ins", 10, in: 300)
    /// Anonymous accounts created, by network.
    public var anonymousAccounts = Rate("anonymous-accounts", 20, in: 3600)
    /// Mails, by the account that asks for them, or by network and recipient.
    public var mails = Rate("mails", 5, in: 3600)
    /// Mails of `requestPasswordReset`, by the network that asks for them, for all recipients together.
    public var addressMails = Rate("address-mails", 60, in: 3600)
    /// Mails with a link, by the kind of mail and recipient, whoever asks for them. Once the quota is used up, one mail
    /// is allowed every three minutes. So a mail is dropped only if another was allowed less than three minutes before.
    /// The link of the other mail is still valid: a link that resets a password is valid for ten minutes, one that
    /// confirms an address for longer.
    public var recipientMails = Rate("recipient-mails", 20, in: 3600)
    /// The number of failures after which attempts to give a password are held back; 0: attempts are never held back.
    /// Failures are counted by the username or address that is given, by device, and by the account within a session.
    public var failuresBeforeBackOff = 5

    public init() {}

    /// Requests with the token of a mail's link, by network.
    var tokens: Rate { Rate("tokens", signIns.quota, in: signIns.window) }
}
