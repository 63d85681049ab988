import Limits

/// The client for whom a password is hashed. `FairQueue` orders waiting jobs by it.
public struct HashingClient: Sendable {
    /// nil for a client without an address; all of those count as one network.
    let network: ClientNetwork?
    /// The login or the account that the password is for.
    let login: String
    /// True where the client has shown more than a password: the token of a device that has signed in before, or a
    /// mail's link.
    let isVouchedFor: Bool

    public init(network: ClientNetwork?, login: String, isVouchedFor: Bool = false) {
        (self.network, self.login, self.isVouchedFor) = (network, login, isVouchedFor)
    }

    /// The server's own work, for no client.
    public static let local = HashingClient(network: nil, login: "")
}
