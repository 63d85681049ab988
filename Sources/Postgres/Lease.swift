/// The right to send on one of a pool's connections during one session with PostgreSQL. A connection that was lost is
/// opened again as a new session.
///
/// A lease ends with its session. To send with an ended lease fails, and to return it does nothing.
struct Lease: Equatable, Sendable {
    /// The index of the connection in its pool.
    let connection: Int
    /// The number of the session, counted for each connection.
    let session: Int
}
