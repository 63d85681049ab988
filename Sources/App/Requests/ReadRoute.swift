import Postgres
import Synchronization

/// Decides where the reads of one request run. The first read chooses a standby. Later reads run on the same standby,
/// until one of them has to run on the primary; from then on all run there. So a request that has read from a server
/// never goes on with a server whose data may be older.
struct ReadRoute {
    enum Place: Equatable {
        case anyStandby
        case standby(Int)
        case primary
    }

    private(set) var place = Place.anyStandby
    /// The position that a standby must have passed; nil: any standby will do.
    private(set) var position: TransactionPosition?

    init(atLeast position: TransactionPosition?) { self.position = position }

    /// Makes the later reads see this position, too. nil stands for a position with which no standby can be compared.
    mutating func require(_ other: TransactionPosition?) {
        guard let other, let later = position.map({ $0.later(other) }) ?? other else { return stayOnPrimary() }
        position = later
    }

    mutating func stayOnPrimary() { place = .primary }

    /// The standby for the next read; nil: the primary.
    /// - Parameter choose: finds a standby that may have passed the position, among all or only the given one.
    mutating func next(_ choose: (_ atLeast: TransactionPosition?, _ only: Int?) -> Int?) -> Int? {
        let only: Int?
        switch place {
        case .primary: return nil
        case .anyStandby: only = nil
        case .standby(let standby): only = standby
        }
        let standby = choose(position, only)
        place = standby.map { .standby($0) } ?? .primary
        return standby
    }
}

/// The route that the contexts of one request share.
final class SharedRoute: Sendable {
    private let route: Mutex<ReadRoute>

    init(atLeast position: TransactionPosition?) { route = Mutex(ReadRoute(atLeast: position)) }

    func require(_ position: TransactionPosition?) { route.withLock { $0.require(position) } }

    func stayOnPrimary() { route.withLock { $0.stayOnPrimary() } }

    /// Sends a read to a standby; nil where the read has to run on the primary.
    func start<S: Statement>(
        _ statement: S, settings: SQL?, _ standbys: StandbySet, orOn primary: Pool
    ) -> PendingRows<S>? {
        let (standby, position) = route.withLock { route in
            (route.next { standbys.choose(atLeast: $0, only: $1) }, route.position)
        }
        guard let standby else { return nil }
        return standbys.start(statement, settings: settings, on: standby, atLeast: position, orOn: primary) {
            self.stayOnPrimary()
        }
    }
}
