/// Checks the texts of an input and collects their errors. Texts are trimmed at their ends and otherwise unchanged.
/// Lengths are in grapheme clusters. A cluster can have any number of bytes, so a text's bytes are bounded as well: at 64
/// for each cluster that the text may have, unless `maximumBytes` says otherwise. A text of invisible characters alone
/// counts as empty.
struct InputText {
    private(set) var errors: [UserError] = []

    /// A required text. `name` begins a sentence, such as "The title".
    mutating func required(
        _ text: String, _ field: String, _ name: String, _ length: ClosedRange<Int>, maximumBytes: Int? = nil
    ) -> String {
        check(text.trimmed, field, name, length, maximumBytes)
    }

    /// An optional text: empty means absent.
    mutating func optional(
        _ text: String?, _ field: String, _ name: String, maximum: Int, maximumBytes: Int? = nil
    ) -> String? {
        guard let trimmed = text?.trimmed, !trimmed.isEmpty else { return nil }
        return check(trimmed, field, name, 1...maximum, maximumBytes)
    }

    /// The most bytes of UTF-8 of a text with at most `length` clusters, if the text has no bound of its own.
    static func maximumBytes(of length: Int) -> Int { length * 64 }

    mutating func add(_ error: UserError) { errors.append(error) }

    private mutating func check(
        _ text: String, _ field: String, _ name: String, _ length: ClosedRange<Int>, _ maximumBytes: Int?
    ) -> String {
        // PostgreSQL's text cannot hold NUL.
        if text.utf8.contains(0) {
            errors.append(UserError(.invalid, "\(name) contains a character that cannot be stored.", field))
            return text
        }
        // The bytes are compared first, so that no long text is divided into clusters.
        let maximumBytes = maximumBytes ?? Self.maximumBytes(of: length.upperBound)
        guard text.utf8.count <= maximumBytes else {
            let most = "\(length.upperBound) characters, and \(maximumBytes) bytes in UTF-8,"
            errors.append(UserError(.tooLong, "\(name) can have \(most) at most.", field))
            return text
        }
        let count = text.count
        if count == 0 {
            errors.append(UserError(.required, "\(name) is missing.", field))
        } else if count < length.lowerBound {
            errors.append(UserError(.tooShort, "\(name) needs at least \(length.lowerBound) characters.", field))
        } else if count > length.upperBound {
            errors.append(UserError(.tooLong, "\(name) can have \(length.upperBound) characters at most.", field))
        }
        return text
    }
}
