/// The values that mutations on events take.
package enum WrittenEvent {
    /// The name of a time zone, checked for its form alone: PostgreSQL decides whether the zone exists. nil for an
    /// empty text.
    package static func timeZone(_ text: String) throws(WrittenText.Refusal) -> String? {
        var texts = InputText()
        let name = texts.timeZone(text)
        if let error = texts.errors.first { throw WrittenText.Refusal(reason: error.message) }
        return name
    }
}
