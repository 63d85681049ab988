import Hummingbird
import HummingbirdCore
import Limits
import NIOCore
import Synchronization

/// Counts the open connections of a server, in all and by client address, and turns away those beyond the limits.
///
/// A connection beyond the limits is an overflow connection. Its only request is answered if it is for `/healthz` or
/// `/readyz`, and is refused as overloaded otherwise; then the connection is closed. The number of overflow connections
/// is limited, too: a new one beyond that number closes the oldest. So connections are turned away as fast as they are
/// accepted, and a health probe is soon answered. When connections arrive faster than they can be closed, the server
/// stops accepting until half of the connections being closed are gone.
final class OpenConnections: AvailableConnectionsDelegate {
    /// The maximum number of overflow connections, in addition to `maximum`.
    static let overflowPlaces = 64
    /// The maximum number of connections that are being closed, in addition to all others.
    private static let leaving = 64
    /// The number of file descriptors that are reserved for the database and for files.
    private static let descriptorReserve = 128

    private struct State {
        var accepted = 0
        var isAccepting = true
        /// The number of connections within the limits.
        var inside = 0
        var byAddress: [ClientNetwork: Int] = [:]
        /// The overflow connections in the order of their arrival.
        var overflow: [(id: ObjectIdentifier, channel: any Channel)] = []
    }

    private let state = Mutex(State())
    let maximum: Int
    private let maximumPerAddress: Int
    /// Whether a proxy names the client's address in each request.
    private let isBehindProxy: Bool
    let turnedAway: Counter

    /// - Parameter descriptors: the process's limit of open file descriptors.
    init(_ settings: ServerSettings, descriptors: Int, metrics: MetricRegistry) {
        maximum = Self.maximum(settings.connections, descriptors: descriptors)
        maximumPerAddress = settings.connectionsPerAddress > 0 ? settings.connectionsPerAddress : .max
        isBehindProxy = settings.proxies.count > 0
        turnedAway = metrics.counter(
            "http_connections_turned_away_total", help: "Connections and requests beyond the limits of connections.")
    }

    /// The maximum number of connections, which leaves descriptors for the database, files and overflow connections. It
    /// is at least a quarter of the descriptors, but never more than `connections`.
    static func maximum(_ connections: Int, descriptors: Int) -> Int {
        min(connections, max(descriptors / 4, descriptors - descriptorReserve - overflowPlaces - leaving))
    }

    // MARK: - Accepting

    func connectionOpened() {
        state.withLock { state in
            state.accepted += 1
            if state.accepted >= maximum + Self.overflowPlaces + Self.leaving { state.isAccepting = false }
        }
    }

    func connectionClosed() {
        state.withLock { state in
            state.accepted -= 1
            if state.accepted <= maximum + Self.overflowPlaces + Self.leaving / 2 { state.isAccepting = true }
        }
    }

    func isAcceptingNewConnections() -> Bool { state.withLock { $0.isAccepting } }

    // MARK: - Places

    /// Counts an accepted connection until it is closed.
    func enter(_ channel: any Channel) -> ConnectionPlace {
        let address = isBehindProxy ? nil : channel.remoteAddress?.ipAddress.flatMap(ClientNetwork.init(ipAddress:))
        let id = ObjectIdentifier(channel)
        let (isOverflow, oldest) = state.withLock { state -> (Bool, (any Channel)?) in
            if take(address, &state), state.inside < maximum {
                state.inside += 1
                return (false, nil)
            }
            state.overflow.append((id, channel))
            guard state.overflow.count > Self.overflowPlaces else { return (true, nil) }
            return (true, state.overflow.removeFirst().channel)
        }
        if isOverflow { turnedAway.increment() }
        oldest?.close(promise: nil)
        let place = ConnectionPlace(isOverflow: isOverflow, address: address)
        channel.closeFuture.whenComplete { _ in self.leave(place, id) }
        return place
    }

    /// Counts a request for the client that a proxy names. Without proxies no request is counted.
    /// - Returns: whether the request is within the client's limit; a request beyond it is not counted.
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

    /// Ends the count of the request, since the next request of the proxy's connection may be another client's.
    func end(_ place: ConnectionPlace) { if isBehindProxy { replaceAddress(of: place, by: nil) } }

    private func replaceAddress(of place: ConnectionPlace, by address: ClientNetwork?) {
        guard let former = place.address.withLock({ exchange(&$0, address) }) else { return }
        state.withLock { give(former, &$0) }
    }

    private func leave(_ place: ConnectionPlace, _ id: ObjectIdentifier) {
        let address = place.address.withLock { exchange(&$0, nil) }
        state.withLock { state in
            give(address, &state)
            if place.isOverflow { state.overflow.removeAll { $0.id == id } } else { state.inside -= 1 }
        }
    }

    private func exchange(_ address: inout ClientNetwork?, _ next: ClientNetwork?) -> ClientNetwork? {
        defer { address = next }
        return address
    }

    /// Adds one to the count of the address, even beyond the limit.
    /// - Returns: whether the new count is within the limit.
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

    /// The number of client addresses that have connections or requests now.
    var addressCount: Int { state.withLock { $0.byAddress.count } }
}

/// A client connection's place in the counts of `OpenConnections`.
final class ConnectionPlace: Sendable {
    /// Whether this is an overflow connection.
    let isOverflow: Bool
    fileprivate let address: Mutex<ClientNetwork?>

    fileprivate init(isOverflow: Bool, address: ClientNetwork?) {
        self.isOverflow = isOverflow
        self.address = Mutex(address)
    }
}
