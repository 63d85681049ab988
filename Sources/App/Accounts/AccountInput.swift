import Auth

extension InputText {
    static let nameLength = 1...80
    /// The text of a notification that has such a name fits twice into a push message, which has 4,096 bytes.
    static let nameBytes = 1280
    static let bioLength = 500

    /// Refuses a name that would disturb the sentences, mails and titles in which it stands: one with line breaks or
    /// other control characters, with characters that change the direction of the text behind them (Unicode Standard
    /// Annex #9, sections 2.1 and 2.2), or with invisible characters other than those that scripts and emoji need.
    mutating func checkName(_ name: String?) {
        let isName = (name ?? "").unicodeScalars.allSatisfy {
            switch $0.value {
            case 1..<0x20, 0x7F...0x9F, 0x2028...0x202E: false
            default: !$0.isInvisible || $0.joinsOrVaries || $0.properties.isWhitespace
            }
        }
        if !isName { add(UserError(.invalid, "The name contains a character that no name has.", "displayName")) }
    }

    /// The username in lower case: 3 to 30 characters of a-z, 0-9, _ and dots. nil if none was given, or if it has
    /// other characters, which is an error.
    mutating func username(_ text: String?) -> String? {
        guard let name = text?.trimmed.lowercased(), !name.isEmpty else { return nil }
        let isWellFormed = name.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"),
                UInt8(ascii: "."):
                true
            default: false
            }
        }
        if !isWellFormed {
            add(UserError(.invalid, "A username is made of letters from a to z, digits, _ and dots.", "username"))
            return nil
        }
        if name.utf8.count < 3 {
            add(UserError(.tooShort, "A username needs at least 3 characters.", "username"))
        } else if name.utf8.count > 30 {
            add(UserError(.tooLong, "A username can have 30 characters at most.", "username"))
        } else if ReservedUsernames.contains(name) {
            add(UserError(.taken, "This username is reserved.", "username"))
        }
        return name
    }

    /// nil if the address is malformed, which is an error.
    mutating func email(_ text: String, field: String = "email") -> EmailAddress? {
        do { return try EmailAddress(text) } catch {
            add(error.userError(field))
            return nil
        }
    }
}

extension UserError {
    static let usernameTaken = UserError(.taken, "This username is taken, or looks like one that is.", "username")
    static let nameAlike = UserError(.taken, "This name looks like somebody else's.", "displayName")
    static let emailTaken = UserError(.taken, "This e-mail address has an account already.", "email")

    static func missingPassword(_ field: String) -> UserError {
        UserError(.required, "The password is missing.", field)
    }

    static func wrongPassword(_ field: String) -> UserError {
        UserError(.wrongCredentials, "This is not the password.", field)
    }

    init(_ problem: PasswordProblem, field: String) {
        switch problem {
        case .missing: self = .missingPassword(field)
        case .tooShort(let minimum):
            self.init(.tooShort, "The password needs at least \(minimum) characters.", field)
        case .tooLong(let maximum):
            self.init(.tooLong, "The password can have \(maximum) characters at most.", field)
        case .containsUsername:
            self.init(.weakPassword, "The password contains the username.", field)
        case .containsAddress:
            self.init(.weakPassword, "The password contains the e-mail address.", field)
        case .repetition:
            self.init(.weakPassword, "The password only repeats up to four characters.", field)
        case .sequence:
            self.init(.weakPassword, "The password only follows the alphabet, the digits or the keyboard.", field)
        case .common:
            self.init(.weakPassword, "This password is among the most common ones.", field)
        }
    }
}
