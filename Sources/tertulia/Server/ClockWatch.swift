import App
import Logging
import Synchronization

/// Writes to the server's log when the clocks of the database and of this machine begin to differ, and when they agree
/// again.
final class ClockWatch: Sendable {
    /// Clocks count as differing if their difference, less the uncertainty of its reading, is larger than this. The
    /// tolerance is far below the 30 s of skew with which access tokens are accepted. So an operator has time
    /// to correct a drifting clock before tokens are refused.
    static let tolerance: Duration = .seconds(5)
    /// The largest difference at which clocks that differed agree again. It is smaller than `tolerance`, so that a
    /// difference around `tolerance` is not logged over and over.
    private static let agreement: Duration = .seconds(4)

    private struct State {
        var reading: ClockReading?
        var differs = false
    }

    private let logger: Logger
    private let state = Mutex(State())

    init(logger: Logger) { self.logger = logger }

    /// The last difference in seconds, positive where the database is ahead; NaN before the first reading.
    var difference: Double { state.withLock { $0.reading.map { $0.difference / .seconds(1) } ?? .nan } }

    func note(_ reading: ClockReading) {
        let (differed, differs) = state.withLock { state in
            let differed = state.differs
            state.reading = reading
            state.differs = reading.leastDifference > (differed ? Self.agreement : Self.tolerance)
            return (differed, state.differs)
        }
        guard differed != differs else { return }
        let seconds = Int((reading.difference / .seconds(1)).rounded())
        if differs {
            logger.error(
                """
                The database's clock is \(abs(seconds)) s \(seconds < 0 ? "behind" : "ahead of") this machine's: tokens and \
                schedules go wrong. Keep both clocks by NTP (timedatectl set-ntp true)
                """)
        } else {
            logger.notice("The database's clock and this machine's agree again")
        }
    }
}
