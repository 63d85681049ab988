import App

/// The settings of all rates. 0 means no limit.
struct RateSettings: Sendable {
    let limits: AccountLimits

    init(_ flags: RateFlags, _ reader: inout SettingReader) {
        var limits = AccountLimits()
        limits.writes.quota = reader.read(flags.writes)
        limits.messages.quota = reader.read(flags.messages, default: limits.writes.quota / 2)
        limits.uploads.quota = reader.read(flags.uploads, default: (limits.writes.quota + 3) / 4)
        limits.signUps.quota = reader.read(flags.signUps)
        limits.signIns.quota = reader.read(flags.signIns)
        limits.deviceSignIns.quota = reader.read(flags.deviceSignIns)
        limits.failuresBeforeBackOff = reader.read(flags.failuresBeforeBackOff)
        limits.anonymousAccounts.quota = reader.read(flags.anonymousAccounts)
        limits.mails.quota = reader.read(flags.mails)
        limits.addressMails.quota = reader.read(flags.addressMails)
        limits.recipientMails.quota = reader.read(flags.recipientMails)
        self.limits = limits
    }
}
