import App

/// The settings of all rates. 0 means no limit.
struct RateSettings: Sendable {
    let limits: AccountLimits

    init(_ flags: RateFlags, _ reader: inout SettingReader) {
        func read(_ variable: String, _ flag: String?, _ standard: Int) -> Int {
            reader.read(
                variable, flag, default: standard, expected: "a number from 0 to 1000000",
                show: { "\($0)" }, as: { Int($0).flatMap { 0...1_000_000 ~= $0 ? $0 : nil } })
        }
        var limits = AccountLimits()
        limits.writes.quota = read("WRITES_PER_MINUTE", flags.writesPerMinute, limits.writes.quota)
        limits.messages.quota = read("MESSAGES_PER_MINUTE", flags.messagesPerMinute, limits.writes.quota / 2)
        limits.uploads.quota = read("UPLOADS_PER_MINUTE", flags.uploadsPerMinute, (limits.writes.quota + 3) / 4)
        limits.signUps.quota = read("SIGN_UPS_PER_MINUTE", flags.signUpsPerMinute, limits.signUps.quota)
        limits.signIns.quota = read("SIGN_INS_PER_FIVE_MINUTES", flags.signInsPerFiveMinutes, limits.signIns.quota)
        limits.deviceSignIns.quota = read(
            "DEVICE_SIGN_INS_PER_FIVE_MINUTES", flags.deviceSignInsPerFiveMinutes, limits.deviceSignIns.quota)
        limits.failuresBeforeBackOff = read(
            "FAILURES_BEFORE_BACK_OFF", flags.failuresBeforeBackOff, limits.failuresBeforeBackOff)
        limits.anonymousAccounts.quota = read(
            "ANONYMOUS_ACCOUNTS_PER_HOUR", flags.anonymousAccountsPerHour, limits.anonymousAccounts.quota)
        limits.mails.quota = read("MAILS_PER_HOUR", flags.mailsPerHour, limits.mails.quota)
        limits.addressMails.quota = read(
            "ADDRESS_MAILS_PER_HOUR", flags.addressMailsPerHour, limits.addressMails.quota)
        limits.recipientMails.quota = read(
            "RECIPIENT_MAILS_PER_HOUR", flags.recipientMailsPerHour, limits.recipientMails.quota)
        self.limits = limits
    }
}
