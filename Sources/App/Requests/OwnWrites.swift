import Postgres

/// The writes of one request, for the answer's `Tertulia-Position`: docs/requests.md, "Reads on standbys".
struct OwnWrites {
    /// The value for writes whose position is not known. No server can read it, so the reads of a client that brings it
    /// run on the primary.
    static let unknown = "primary"

    /// The number of writes that have begun, and whose outcome or position is not known.
    private var open = 0
    private var position: TransactionPosition?

    mutating func began() { open += 1 }

    /// - Parameter position: nil where it is not known.
    mutating func committed(at position: TransactionPosition?) {
        guard let position, let later = self.position.map({ $0.later(position) }) ?? position else { return }
        open -= 1
        self.position = later
    }

    mutating func rolledBack() { open -= 1 }

    /// The value of the header `Tertulia-Position`; nil where nothing was written.
    var header: String? { open > 0 ? Self.unknown : position?.text }
}
