/// The reason why an import cannot go on, worded for the person who runs it. Objects that were written stay, and a
/// repeated import passes over them.
public struct ImportFailure: Error, Equatable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}
