import Auth
import Mail

/// An e-mail address in the form in which it is stored and compared: in lower case and NFC, without hidden characters,
/// and with a domain in ASCII. Addresses that differ only in hidden characters around them, in how their letters are
/// composed, or in how their domain is written, have one form.
struct EmailAddress {
    enum Problem: Error {
        case missing
        case malformed
        case hiddenCharacter
        /// The domain is written in another script, and IDNA does not allow it.
        case domain
    }

    /// The form in which the address is stored.
    let text: String
    /// The address as earlier releases stored it, if it differs from the form.
    let formerText: String?

    /// Hidden characters are trimmed at the ends. The check finds typing errors and does not follow the grammar of RFC
    /// 5322: only a delivered mail shows that an address exists.
    init(_ text: String) throws(Problem) {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.isHidden }),
            let last = scalars.lastIndex(where: { !$0.isHidden })
        else { throw .missing }
        let typed = String(scalars[first...last])
        // The length bounds the work of the conversion. PostgreSQL's text cannot hold NUL.
        guard typed.utf8.count <= Self.maximumTypedLength, !typed.utf8.contains(0),
            !typed.unicodeScalars.contains(where: \.properties.isWhitespace)
        else { throw .malformed }
        guard !typed.unicodeScalars.contains(where: { $0.isHidden || $0.isUnknown }) else { throw .hiddenCharacter }
        let address = NormalizationFormC.normalize(typed.lowercased())
        // Not split by characters: an @ with a combining mark is another one.
        let parts = address.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2, (1...64).contains(parts[0].count) else { throw .malformed }
        guard let domain = DomainName.ascii(String(Substring(parts[1]))) else { throw .domain }
        let form = "\(Substring(parts[0]))@\(domain)"
        let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 1, labels.allSatisfy({ (1...63).contains($0.utf8.count) }), form.utf8.count <= 254 else {
            throw .malformed
        }
        let former = text.trimmed.lowercased()
        (self.text, formerText) = (form, former.isSame(as: form) ? nil : former)
    }

    /// In bytes of UTF-8: three times the longest address, since a letter that is typed in parts takes up to three times
    /// its room.
    fileprivate static let maximumTypedLength = 3 * 254

    /// Each text under which an account with this address can be stored.
    var spellings: [String] { [text] + (formerText.map { [$0] } ?? []) }

    func isStored(as stored: String) -> Bool { spellings.contains { $0.isSame(as: stored) } }
}

extension EmailAddress.Problem {
    func userError(_ field: String) -> UserError {
        switch self {
        case .missing: UserError(.required, "The e-mail address is missing.", field)
        case .malformed: UserError(.invalid, "This is not an e-mail address.", field)
        case .hiddenCharacter: UserError(.invalid, "The e-mail address contains an invisible character.", field)
        case .domain:
            UserError(
                .invalid, "The domain of this address is not valid. A domain in ASCII (xn--…) is accepted.", field)
        }
    }
}

/// The address or username that a person types to sign in.
struct Login {
    /// The text in lower case. An account of an earlier release can be stored with hidden characters in its address.
    let exact: String
    /// The form in which addresses and usernames are stored, without the hidden characters of `exact`. Attempts are
    /// counted by it.
    let form: String

    init(_ text: String) {
        exact = text.trimmed.lowercased()
        guard text.utf8.count <= EmailAddress.maximumTypedLength else {
            form = exact
            return
        }
        let visible = text.withoutHidden
        form =
            (try? EmailAddress(visible))?.text ?? NormalizationFormC.normalize(visible.trimmed.lowercased())
    }
}

extension String {
    /// The text without hidden characters; white space stays.
    var withoutHidden: String {
        String(UnicodeScalarView(unicodeScalars.filter { !$0.isHidden || $0.properties.isWhitespace }))
    }

    /// Compares the bytes of the texts, as the database does. Swift's == ignores how letters are composed.
    func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension Unicode.Scalar {
    /// The character is invisible, or a format character, which may have a glyph together with its neighbours.
    var isHidden: Bool { isInvisible || properties.generalCategory == .format }

    /// The character is for private use or not assigned: Unicode does not define its glyph.
    fileprivate var isUnknown: Bool { [.privateUse, .unassigned].contains(properties.generalCategory) }
}
