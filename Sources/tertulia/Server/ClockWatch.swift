import App
import Logging
import Synchronization

/// Tells the log when the clocks of the database and of this machine begin to differ, and when they agree again.
final class ClockWatch: Sendable {
    /// Beyond this difference the clocks differ. Access tokens are accepted with 30 s of skew, so that there is time left
    /// to correct a clock that drifts.
    static let tolerance: Duration = .seconds(5)
    /// Clocks that differ agree again within this difference. It is smaller, so that clocks near the tolerance are not told
    /// over and over.
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
