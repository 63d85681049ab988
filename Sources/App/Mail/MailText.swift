import Mail

/// The words of a mail, as plain text and as HTML.
struct MailText {
    let subject: String
    private let paragraphs: [String]
    private let link: String?
    private let closing: String

    /// - Parameters:
    ///   - detail: the new e-mail address, for a mail that tells the old address of a change, asked for or done.
    ///   - link: the URL that the mail asks to open; nil for a mail that asks for nothing.
    ///   - site: the host of PUBLIC_URL, with its port if it has one.
    init(_ kind: MailKind, name: String, detail: String, link: String?, site: String) {
        self.link = link
        let greeting = "Hello \(name),"
        let notYou = "If that was not you, change your password at once, or reset it if you cannot sign in any more."
        switch kind {
        case .confirmEmail:
            subject = "Confirm your e-mail address"
            paragraphs = [
                greeting, "this address was given to an account on \(site).",
                "Open this link within 24 hours to confirm that it is yours:",
            ]
            closing = "If you know of no such account, ignore this mail: without the confirmation nothing happens."
        case .resetPassword:
            subject = "Reset your password"
            paragraphs = [
                greeting, "somebody asked for a new password for your account on \(site).",
                "Open this link within 10 minutes to choose one. It works once:",
            ]
            closing = "If that was not you, ignore this mail: your password stays as it is."
        case .passwordChanged:
            subject = "Your password was changed"
            paragraphs = [
                greeting, "the password of your account on \(site) was changed, and its other sessions were ended.",
            ]
            closing = "If that was not you, reset your password at once."
        case .emailChangeRequested:
            subject = "Your e-mail address is to change"
            paragraphs = [
                greeting,
                "the address of your account on \(site) is to become \(detail). It does when the new address is confirmed.",
            ]
            closing = notYou
        case .emailChanged:
            subject = "Your e-mail address was changed"
            paragraphs = [
                greeting,
                "the address of your account on \(site) is now \(detail). No more mail comes to this one.",
            ]
            closing = notYou
        }
    }

    var text: String {
        (paragraphs + [link, closing].compactMap { $0 }).joined(separator: "\n\n") + "\n"
    }

    var html: String {
        let anchor = link.map { "<a href=\"\(Self.escape($0))\">\(Self.escape($0))</a>" }
        let blocks = paragraphs.map(Self.escape) + [anchor, Self.escape(closing)].compactMap { $0 }
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>\(Self.escape(subject))</title></head>
            <body style="font: 16px/1.5 sans-serif; max-width: 36em; margin: 2em auto; padding: 0 1em">
            \(blocks.map { "<p>\($0)</p>\n" }.joined())</body></html>

            """
    }

    static func escape(_ text: String) -> String {
        var output = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": output += "&amp;"
            case "<": output += "&lt;"
            case ">": output += "&gt;"
            case "\"": output += "&quot;"
            case "'": output += "&#39;"
            default: output.unicodeScalars.append(character)
            }
        }
        return output
    }
}
