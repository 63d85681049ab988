/// The result of one check of `doctor`, with its remedy.
struct Finding: Sendable, Equatable {
    enum Verdict: Sendable, Equatable {
        case fine
        /// The server works but not as it should, or the combination is untested.
        case warning
        /// The server does not start, or not safely.
        case problem
    }

    let subject: String
    let verdict: Verdict
    let text: String
    let remedy: String?

    static func fine(_ subject: String, _ text: String) -> Finding {
        Finding(subject: subject, verdict: .fine, text: text, remedy: nil)
    }

    static func warning(_ subject: String, _ text: String, remedy: String) -> Finding {
        Finding(subject: subject, verdict: .warning, text: text, remedy: remedy)
    }

    static func problem(_ subject: String, _ text: String, remedy: String) -> Finding {
        Finding(subject: subject, verdict: .problem, text: text, remedy: remedy)
    }

    var lines: String {
        let mark =
            switch verdict {
            case .fine: "ok      "
            case .warning: "warning "
            case .problem: "problem "
            }
        return "\(mark) \(subject): \(text)\n" + (remedy.map { "         → \($0)\n" } ?? "")
    }
}
