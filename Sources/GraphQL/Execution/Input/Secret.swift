/// The text of an input field that the schema declares `@sensitive`. Such a field decodes as no other type, and its
/// text is never printed.
public struct Secret: InputDecodable, Sendable, Equatable, CustomStringConvertible {
    public let text: String

    public init(_ text: String) { self.text = text }

    public init(inputValue: InputValue) throws {
        guard case .secret(let secret?) = inputValue else { throw Self.mismatch }
        self = secret
    }

    public var description: String { "***" }
}
