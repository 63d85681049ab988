import Limits

/// For whom a password is hashed. While all threads are busy, the client that was served least lately is next.
public struct HashingClient: Sendable {
    /// nil counts as one client among the others.
    let network: ClientNetwork?
    /// The login or the account that the password is for.
    let login: String
    /// Whether the client has shown more than a password: a device that has signed in before, or the link of a mail.
    let isVouchedFor: Bool

    public init(network: ClientNetwork?, login: String, isVouchedFor: Bool = false) {
        (self.network, self.login, self.isVouchedFor) = (network, login, isVouchedFor)
    }

    /// The server itself.
    public static let local = HashingClient(network: nil, login: "")
}
