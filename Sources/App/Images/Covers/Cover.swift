import Postgres

/// The placeholder for an object without an image: an SVG of a few kilobytes, determined by category and id. The
/// category sets the motif and the palettes; the id chooses a palette and everything else.
public struct Cover: Sendable {
    /// The categories of thoughts, and events.
    public enum Category: String, Sendable, CaseIterable {
        case funny, serious, crazy, event
    }

    static let (width, height) = (1280, 720)

    /// The picture. It contains no text of users.
    public let svg: String

    public init(_ category: Category, of id: TypeID) {
        var random = CoverRandom(seed: id.uuid)
        let palette = category.palettes[random.number(in: 0...category.palettes.count - 1)]
        var drawing = CoverDrawing(palette, angle: random.number(in: -25...25))
        switch category {
        case .funny: drawing.bubbles(&random)
        case .serious: drawing.hills(&random)
        case .crazy: drawing.ribbons(&random)
        case .event: drawing.lights(&random)
        }
        svg = drawing.svg
    }
}

/// The colours of the background's gradient, from the top down, and of the shapes on it.
struct CoverPalette: Sendable {
    let top: StaticString
    let middle: StaticString
    let bottom: StaticString
    let ink: StaticString
}

extension Cover.Category {
    var palettes: [CoverPalette] {
        switch self {
        case .funny:
            [
                CoverPalette(top: "#fff4d6", middle: "#ffd27f", bottom: "#ff9a76", ink: "#ff6b5e"),
                CoverPalette(top: "#ffeee0", middle: "#ffbfa3", bottom: "#ff7f97", ink: "#f2557c"),
                CoverPalette(top: "#fff7db", middle: "#ffe08a", bottom: "#f7a94b", ink: "#ee7b2d"),
                CoverPalette(top: "#fdf0e6", middle: "#fbc8b4", bottom: "#e987a5", ink: "#d95d8c"),
            ]
        case .serious:
            [
                CoverPalette(top: "#e8eff8", middle: "#a9c3e2", bottom: "#6485b4", ink: "#1f3a68"),
                CoverPalette(top: "#eef0f4", middle: "#b7c4d3", bottom: "#73889f", ink: "#263a50"),
                CoverPalette(top: "#f6e9df", middle: "#c3c6d8", bottom: "#6d86a8", ink: "#203656"),
                CoverPalette(top: "#efecf7", middle: "#b9b8da", bottom: "#7273a9", ink: "#2b2d60"),
            ]
        case .crazy:
            [
                CoverPalette(top: "#ff8fb8", middle: "#a765e8", bottom: "#3c2a9c", ink: "#ffe3a8"),
                CoverPalette(top: "#6be4d2", middle: "#5b7cf0", bottom: "#6a25b8", ink: "#ffd1f0"),
                CoverPalette(top: "#ffb36b", middle: "#ee5a92", bottom: "#5a2a9e", ink: "#c9f4ff"),
                CoverPalette(top: "#b6ec87", middle: "#2fb6b0", bottom: "#3a3bb3", ink: "#fff3b8"),
            ]
        case .event:
            [
                CoverPalette(top: "#0f2a3f", middle: "#1c5a6b", bottom: "#6fb7a3", ink: "#ffe2a1"),
                CoverPalette(top: "#1d2440", middle: "#3c4f80", bottom: "#c48f92", ink: "#ffe0b0"),
                CoverPalette(top: "#12302b", middle: "#2c6a58", bottom: "#a9cfa6", ink: "#fff0b3"),
                CoverPalette(top: "#2a1f3d", middle: "#5b3f6e", bottom: "#d79a86", ink: "#ffe7bd"),
            ]
        }
    }
}

/// SplitMix64 (Steele, Lea and Flood, 2014): the same numbers for the same id, on every machine.
struct CoverRandom {
    private var state: UInt64

    init(seed: UUID) { state = seed.high &* 0x9E37_79B9_7F4A_7C15 ^ seed.low }

    mutating func number(in range: ClosedRange<Int>) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        bits ^= bits >> 31
        return range.lowerBound + Int(bits % UInt64(range.count))
    }
}
