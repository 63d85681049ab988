/// Rates by account and by address.
public struct AccountLimits: Sendable {
    /// Mutations of an account.
    public var writes = Rate("writes", 120, in: 60)
    /// Of an account.
    public var messages = Rate("messages", 60, in: 60)
    /// Of an account.
    public var uploads = Rate("uploads", 30, in: 60)
    /// Bytes of all images of an account.
    public var imageQuota = 100 << 20
    /// Of an address.
    public var signUps = Rate("sign-ups", 60, in: 60)
    /// Of an address; and as often it may bring a token of a mail, which nobody can guess.
    public var signIns = Rate("sign-ins", 30, in: 300)
    /// Of an account, with its device tokens.
    public var deviceSignIns = Rate("device-sign-ins", 10, in: 300)
    /// Of an address.
    public var anonymousAccounts = Rate("anonymous-accounts", 20, in: 3600)
    /// That an account asks for, or an address for one recipient.
    public var mails = Rate("mails", 5, in: 3600)
    /// That an address asks for, for all recipients together.
    public var addressMails = Rate("address-mails", 60, in: 3600)
    /// With links of one kind, to one recipient, whoever asks for them. One comes back every three minutes, and a link to
    /// a new password is good for ten: so many ask in vain only while the recipient has a link that is good.
    public var recipientMails = Rate("recipient-mails", 20, in: 3600)
    /// Failed sign-ins after which a login's next tries have to wait; 0: any number.
    public var failuresBeforeBackOff = 5

    public init() {}

    var tokens: Rate { Rate("tokens", signIns.quota, in: signIns.window) }
}
