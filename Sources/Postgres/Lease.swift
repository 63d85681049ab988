/// The right to send in one session of one of a pool's connections.
///
/// A lease ends with its session: to send with it then fails, and to return it does nothing.
struct Lease: Equatable, Sendable {
    /// The index of the connection in its pool.
    let connection: Int
    /// The number of the session, counted for each connection.
    let session: Int
}
