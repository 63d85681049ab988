/// The rates by account and by network, and other limits of an account.
public struct AccountLimits: Sendable {
    /// Mutations, by account.
    public var writes = Rate("writes", 120, in: 60)
    /// Messages sent, by account.
    public var messages = Rate("messages", 60, in: 60)
    /// Images uploaded, by account.
    public var uploads = Rate("uploads", 30, in: 60)
    /// The bytes of all images of an account.
    public var imageQuota = 100 << 20
    /// Sign-ups, by network.
    public var signUps = Rate("sign-ups", 60, in: 60)
    /// Sign-ins without a device token, by network. The rate `tokens` has the same quota and window; it counts the
    /// tokens from links of mails.
    public var signIns = Rate("sign-ins", 30, in: 300)
    /// Sign-ins with a device token, by account.
    public var deviceSignIns = Rate("device-sign-ins", 10, in: 300)
    /// Anonymous accounts created, by network.
    public var anonymousAccounts = Rate("anonymous-accounts", 20, in: 3600)
    /// Mails, by the account that asks for them, or by network and recipient.
    public var mails = Rate("mails", 5, in: 3600)
    /// Mails, by the network that asks for them, for all recipients together.
    public var addressMails = Rate("address-mails", 60, in: 3600)
    /// Mails with a link of one kind, by recipient, whoever asks for them. One mail is allowed every three minutes. A
    /// link to a new password is valid for ten minutes, so a request is refused only while the recipient has a valid
    /// link.
    public var recipientMails = Rate("recipient-mails", 20, in: 3600)
    /// The number of failed sign-ins after which attempts for a login are held back; 0: attempts are never held back.
    public var failuresBeforeBackOff = 5

    public init() {}

    var tokens: Rate { Rate("tokens", signIns.quota, in: signIns.window) }
}
