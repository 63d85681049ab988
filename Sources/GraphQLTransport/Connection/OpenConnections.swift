import Hummingbird
import HummingbirdCore
import Limits
import NIOCore
import Synchronization

/// The connections of a server, in all and by address.
///
/// Beyond the limits there are a few places at the door: whoever has one of them is told whether the server is alive and
/// ready, or that it is overloaded, and goes. When the places at the door are taken, the oldest is taken back: a crowd
/// that waits is sent away as fast as it is accepted, and a probe is never behind it for long. Connections that come
/// faster than they can be closed stop the accepting, which begins again when half of these are gone.
final class OpenConnections: AvailableConnectionsDelegate {
    /// Beside the connections' own.
    static let placesAtDoor = 64
    /// Connections that are being closed.
    private static let leaving = 64
    /// File descriptors for the database and for files.
    private static let descriptorReserve = 128

    private struct State {
        var accepted = 0
        var isAccepting = true
        /// Connections that are not at the door.
        var inside = 0
        var byAddress: [ClientNetwork: Int] = [:]
        /// In the order of their arrival.
        var atDoor: [(id: ObjectIdentifier, channel: any Channel)] = []
    }

    private let state = Mutex(State())
    let maximum: Int
    private let maximumPerAddress: Int
    /// Whether clients' addresses are known by what proxies say, request by request.
    private let isBehindProxy: Bool
    let turnedAway: Counter

    /// - Parameter descriptors: how many the process may have open.
    init(_ settings: ServerSettings, descriptors: Int, metrics: MetricRegistry) {
        maximum = Self.maximum(settings.connections, descriptors: descriptors)
        maximumPerAddress = settings.connectionsPerAddress > 0 ? settings.connectionsPerAddress : .max
        isBehindProxy = settings.trustedProxies > 0
        turnedAway = metrics.counter(
            "http_connections_turned_away_total", help: "Connections and requests beyond the limits of connections.")
    }

    /// The number of connections that leaves descriptors for the database, files and the door: with very few
    /// descriptors a quarter of these, and never more than `connections`.
    static func maximum(_ connections: Int, descriptors: Int) -> Int {
        min(connections, max(descriptors / 4, descriptors - descriptorReserve - placesAtDoor - leaving))
    }

    // MARK: - Accepting

    func connectionOpened() {
        state.withLock { state in
            state.accepted += 1
            if state.accepted >= maximum + Self.placesAtDoor + Self.leaving { state.isAccepting = false }
        }
    }

    func connectionClosed() {
        state.withLock { state in
            state.accepted -= 1
            if state.accepted <= maximum + Self.placesAtDoor + Self.leaving / 2 { state.isAccepting = true }
        }
    }

    func isAcceptingNewConnections() -> Bool { state.withLock { $0.isAccepting } }

    // MARK: - Places

    /// The place of a connection that was accepted, until it is closed.
    func enter(_ channel: any Channel) -> ConnectionPlace {
        let address = isBehindProxy ? nil : channel.remoteAddress?.ipAddress.flatMap(ClientNetwork.init(ipAddress:))
        let id = ObjectIdentifier(channel)
        let (isAtDoor, oldest) = state.withLock { state -> (Bool, (any Channel)?) in
            if take(address, &state), state.inside < maximum {
                state.inside += 1
                return (false, nil)
            }
            state.atDoor.append((id, channel))
            guard state.atDoor.count > Self.placesAtDoor else { return (true, nil) }
            return (true, state.atDoor.removeFirst().channel)
        }
        if isAtDoor { turnedAway.increment() }
        oldest?.close(promise: nil)
        let place = ConnectionPlace(isAtDoor: isAtDoor, address: address)
        channel.closeFuture.whenComplete { _ in self.leave(place, id) }
        return place
    }

    /// Counts the request that begins for the client that a proxy names.
    /// - Returns: whether it is within the limit; else it is not counted.
    func begin(_ place: ConnectionPlace, from clientAddress: @autoclosure () -> String) -> Bool {
        guard isBehindProxy, let address = ClientNetwork(ipAddress: clientAddress()) else { return true }
        let isWithin = state.withLock { state in
            guard take(address, &state) else {
                give(address, &state)
                return false
            }
            return true
        }
        if isWithin { replaceAddress(of: place, by: address) } else { turnedAway.increment() }
        return isWithin
    }

    /// The proxy's connection is another client's next.
    func end(_ place: ConnectionPlace) { if isBehindProxy { replaceAddress(of: place, by: nil) } }

    private func replaceAddress(of place: ConnectionPlace, by address: ClientNetwork?) {
        guard let former = place.address.withLock({ exchange(&$0, address) }) else { return }
        state.withLock { give(former, &$0) }
    }

    private func leave(_ place: ConnectionPlace, _ id: ObjectIdentifier) {
        let address = place.address.withLock { exchange(&$0, nil) }
        state.withLock { state in
            give(address, &state)
            if place.isAtDoor { state.atDoor.removeAll { $0.id == id } } else { state.inside -= 1 }
        }
    }

    private func exchange(_ address: inout ClientNetwork?, _ next: ClientNetwork?) -> ClientNetwork? {
        defer { address = next }
        return address
    }

    /// - Returns: whether the address has no more than its share then.
    private func take(_ address: ClientNetwork?, _ state: inout State) -> Bool {
        guard let address else { return true }
        let count = state.byAddress[address, default: 0] + 1
        state.byAddress[address] = count
        return count <= maximumPerAddress
    }

    private func give(_ address: ClientNetwork?, _ state: inout State) {
        guard let address, let count = state.byAddress[address] else { return }
        state.byAddress[address] = count > 1 ? count - 1 : nil
    }

    /// Addresses that are counted.
    var addressCount: Int { state.withLock { $0.byAddress.count } }
}

/// A client connection's place in the counts of `OpenConnections`.
final class ConnectionPlace: Sendable {
    /// Whether it is beyond the limits, and only to be sent away.
    let isAtDoor: Bool
    fileprivate let address: Mutex<ClientNetwork?>

    fileprivate init(isAtDoor: Bool, address: ClientNetwork?) {
        self.isAtDoor = isAtDoor
        self.address = Mutex(address)
    }
}
