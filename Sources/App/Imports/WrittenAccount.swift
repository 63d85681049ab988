import Postgres

/// The rules of sign-up, for accounts that an import brings.
package enum WrittenAccount {
    /// The username in lower case; nil for an empty text.
    package static func username(_ text: String) throws(WrittenText.Refusal) -> String? {
        var texts = InputText()
        let name = texts.username(text)
        if let error = texts.errors.first { throw WrittenText.Refusal(reason: error.message) }
        return name
    }

    /// The address in lower case.
    package static func email(_ text: String) throws(WrittenText.Refusal) -> String {
        var texts = InputText()
        let email = texts.email(text)
        if let error = texts.errors.first { throw WrittenText.Refusal(reason: error.message) }
        return email
    }

    /// The form in which look-alike names are equal.
    package static func skeleton(of name: String) -> String { NameSkeleton.of(name) }

    /// True for a name that mixes scripts or has joiners, variation selectors or the like. Such a name is not imported
    /// if another account has a different name that looks like it.
    package static func mayImitate(_ name: String) -> Bool { NameDisguise(name) != nil }

    /// The display name of an account that has chosen none.
    package static func generatedName(_ id: UUID) -> String { GeneratedName.of(id) }
}
