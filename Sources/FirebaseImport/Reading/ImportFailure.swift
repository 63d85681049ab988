/// The reason for which an import cannot go on, for its user. What has been written stays; a repeated import goes on
/// from there.
public struct ImportFailure: Error, Equatable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}
