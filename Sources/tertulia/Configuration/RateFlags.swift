import ArgumentParser

/// The flags of `RateSettings`. 0 means no limit.
struct RateFlags: ParsableArguments {
    @Option(help: "Mutations that an account may send in a minute; 0: any number.")
    var writesPerMinute: String?

    @Option(help: "Messages that an account may send in a minute; half of its mutations unless set.")
    var messagesPerMinute: String?

    @Option(help: "Images that an account may upload in a minute; a quarter of its mutations unless set.")
    var uploadsPerMinute: String?

    @Option(help: "Sign-ups that an address may try in a minute.")
    var signUpsPerMinute: String?

    @Option(help: "Sign-ins, and tokens of mails, that an address may try in five minutes.")
    var signInsPerFiveMinutes: String?

    @Option(help: "Sign-ins that an account's own devices may try in five minutes, whatever others do.")
    var deviceSignInsPerFiveMinutes: String?

    @Option(help: "Failed sign-ins after which a login's next tries have to wait.")
    var failuresBeforeBackOff: String?

    @Option(help: "Anonymous accounts that an address may make in an hour.")
    var anonymousAccountsPerHour: String?

    @Option(help: "Mails that an account may ask for in an hour, or an address for one recipient.")
    var mailsPerHour: String?

    @Option(help: "Mails that an address may ask for in an hour, for all recipients.")
    var addressMailsPerHour: String?

    @Option(help: "Mails with links of one kind that one recipient gets in an hour, whoever asks for them.")
    var recipientMailsPerHour: String?
}
