/// Checks the texts of an input and collects their errors. Texts are trimmed at their ends; `username` and `email` are
/// also put in lower case. Lengths are in grapheme clusters. A text of invisible characters alone counts as empty.
struct InputText {
    private(set) var errors: [UserError] = []

    /// A required text. `name` begins a sentence, such as "The title".
    mutating func required(_ text: String, _ field: String, _ name: String, _ length: ClosedRange<Int>) -> String {
        check(text.trimmed, field, name, length)
    }

    /// An optional text: empty means absent.
    mutating func optional(_ text: String?, _ field: String, _ name: String, maximum: Int) -> String? {
        guard let trimmed = text?.trimmed, !trimmed.isEmpty else { return nil }
        return check(trimmed, field, name, 1...maximum)
    }

    mutating func add(_ error: UserError) { errors.append(error) }

    private mutating func check(
        _ text: String, _ field: String, _ name: String, _ length: ClosedRange<Int>
    ) -> String {
        // PostgreSQL's text cannot hold NUL.
        if text.utf8.contains(0) {
            errors.append(UserError(.invalid, "\(name) contains a character that cannot be stored.", field))
            return text
        }
        // A grapheme cluster can have any number of bytes, so the text's bytes are bounded too, at 64 for each cluster.
        let count = text.utf8.count > length.upperBound * 64 ? length.upperBound + 1 : text.count
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
