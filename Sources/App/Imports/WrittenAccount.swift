import Postgres

/// The rules of sign-up, for accounts that an import brings.
package enum WrittenAccount {
    /// The username in lower case.
    package static func username(_ text: String) throws(WrittenText.Refusal) -> String? {
        var texts = InputText()
        let name = texts.username(text)
        if let error = texts.errors.first { throw WrittenText.Refusal(reason: error.message) }
        return name
    }

    /// The address in the form in which it is stored. `isConfirmable` is false if hidden characters were trimmed: a mail to
    /// the address as it was written may have gone elsewhere.
    package static func email(_ text: String) throws(WrittenText.Refusal) -> (text: String, isConfirmable: Bool) {
        do {
            return (try EmailAddress(text).text, !text.unicodeScalars.contains(where: \.isHidden))
        } catch { throw WrittenText.Refusal(reason: error.userError("").message) }
    }

    /// The form in which look-alike names are equal.
    package static func skeleton(of name: String) -> String { NameSkeleton.of(name) }

    /// True for a name with characters of disguise: it is refused if another account's name looks like it.
    package static func mayImitate(_ name: String) -> Bool { NameDisguise(name) != nil }

    /// The display name of an account that has chosen none.
    package static func generatedName(_ id: UUID) -> String { GeneratedName.of(id) }
}
