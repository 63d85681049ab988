import Postgres

@testable import App

/// A person of `world.sql`, as whom an operation runs.
enum Person: String, CaseIterable {
    case ana, ben
    /// A moderator.
    case mod
    /// An anonymous account.
    case zoe
    /// Signed out.
    case nobody

    var viewer: RequestContext.Viewer? {
        let low: UInt64? =
            switch self {
            case .ana: 0xA
            case .ben: 0xB
            case .mod: 0xC
            case .zoe: 0xD
            case .nobody: nil
            }
        return low.map {
            RequestContext.Viewer(
                userID: UUID(high: 0x019b_7600_0000_7000, low: 0x8000_0000_0000_0000 | $0),
                sessionID: UUID(high: 0x019b_7600_0000_7000, low: 0x8000_0000_0000_0100 | $0))
        }
    }
}
