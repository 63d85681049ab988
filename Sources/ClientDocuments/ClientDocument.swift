/// A document with one operation, as the client sends it.
package struct ClientDocument: Sendable, Equatable {
    /// The operation's name.
    package let name: String
    /// The name by which a server with trusted documents knows the document.
    package let id: String
    package let text: String

    package init(name: String, id: String, text: String) {
        self.name = name
        self.id = id
        self.text = text
    }

    /// A document whose ID is the SHA-256 of its text.
    package init(name: String, text: String) { self.init(name: name, id: SHA256.hexadecimal(text), text: text) }
}
