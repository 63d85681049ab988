import GraphQL

/// A document made to cost more than its size.
struct Attack {
    static let size = 64 << 10
    static let tokens = 2_000

    let name: String
    let document: String
}

/// How a family of attacks grows: a beginning, as many units as fit, and an end.
struct AttackShape: Sendable {
    let name: String
    var head = ""
    let unit: @Sendable (Int) -> String
    var tail = ""
    /// Repeated behind the tail, once for each unit, such as closing braces.
    var closing = ""

    /// One document of as many units as fit into 64 KiB. If the limit of tokens allows fewer units, also one of as
    /// many as it allows, filled up with spaces.
    var attacks: [Attack] {
        let whole = units(fitting: { $0.utf8.count <= Attack.size })
        let counted = units(fitting: { $0.utf8.count <= Attack.size && Self.isWithinTokens($0) })
        var attacks = [Attack(name: "\(name), 64 KiB", document: text(whole))]
        if counted < whole, counted > 0 {
            let text = text(counted)
            let padding = String(repeating: " ", count: Attack.size - text.utf8.count)
            attacks.append(Attack(name: "\(name), \(counted) times", document: text + padding))
        }
        return attacks
    }

    private func text(_ count: Int) -> String {
        head + (0..<count).map(unit).joined() + tail + String(repeating: closing, count: count)
    }

    private func units(fitting fits: (String) -> Bool) -> Int {
        var (low, high) = (0, Attack.size + 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            // A text of megabytes is not built only to find that it is too large.
            if middle * max(1, unit(middle).utf8.count) <= 2 * Attack.size, fits(text(middle)) {
                low = middle
            } else {
                high = middle
            }
        }
        return low
    }

    private static func isWithinTokens(_ text: String) -> Bool {
        do {
            _ = try parse(Source(text), options: ParserOptions(maxTokens: Attack.tokens))
            return true
        } catch {
            return error.extensions["limit"] != .string("tokens")
        }
    }
}
