/// The right to send in one session of one of a pool's connections.
///
/// A session's end ends its leases: sending with one fails, and giving one back does nothing.
struct Lease: Equatable, Sendable {
    /// The connection's place in its pool.
    let connection: Int
    /// Counts the sessions of this connection.
    let session: Int
}
