/// A text that a mutation takes, for an import to check by the mutation's own rules.
package enum WrittenText: Sendable {
    case thoughtTitle, thoughtText, comment, eventName, eventDescription, eventLocation, displayName, bio

    /// A text that the rules refuse. `reason` is a sentence.
    package struct Refusal: Error, Equatable {
        package let reason: String
        /// True if the text is refused for its length, so that a shorter one could be accepted.
        package let isTooLong: Bool

        package init(reason: String, isTooLong: Bool = false) {
            self.reason = reason
            self.isTooLong = isTooLong
        }
    }

    /// The text as it is stored; nil for an empty text where none is needed.
    package func checked(_ text: String) throws(Refusal) -> String? {
        var texts = InputText()
        let stored: String?
        if isRequired {
            stored = texts.required(text, "", name, 1...maximum, maximumBytes: maximumBytes)
        } else {
            stored = texts.optional(text, "", name, maximum: maximum, maximumBytes: maximumBytes)
        }
        if self == .displayName { texts.checkName(stored) }
        if let error = texts.errors.first {
            throw Refusal(reason: error.message, isTooLong: error.code == .tooLong)
        }
        return stored
    }

    /// The longest beginning of the text that the rules take, with an ellipsis.
    package func cut(_ text: String) -> String {
        var kept = text.trimmed.prefix(maximum - 1)
        let ellipsis = "…"
        while kept.utf8.count > maximumBytes - ellipsis.utf8.count { kept = kept.dropLast() }
        return String(kept) + ellipsis
    }

    private var isRequired: Bool {
        switch self {
        case .thoughtText, .comment, .eventName, .eventDescription: true
        case .thoughtTitle, .eventLocation, .displayName, .bio: false
        }
    }

    private var maximum: Int {
        switch self {
        case .thoughtTitle: Thought.titleLength
        case .thoughtText: Thought.textLength.upperBound
        case .comment: Comment.textLength.upperBound
        case .eventName: Event.nameLength.upperBound
        case .eventDescription: Event.descriptionLength.upperBound
        case .eventLocation: Event.locationLength
        case .displayName: InputText.nameLength.upperBound
        case .bio: InputText.bioLength
        }
    }

    /// The most bytes of UTF-8 that the text may have.
    private var maximumBytes: Int {
        self == .displayName ? InputText.nameBytes : InputText.maximumBytes(of: maximum)
    }

    /// Begins the sentence of a refusal.
    private var name: String {
        switch self {
        case .thoughtTitle: "The title"
        case .thoughtText: "The text"
        case .comment: "The comment"
        case .eventName: "The name"
        case .eventDescription: "The description"
        case .eventLocation: "The location"
        case .displayName: "The name"
        case .bio: "The text about the person"
        }
    }
}
