/// A deterministic generator.
/// Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (2014)
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// A separate generator for a part of the data, so that the length of one part does not change another.
    init(seed: UInt64, part: UInt64) {
        state = seed
        state = next() ^ part &* 0xD1B5_4A32_D192_ED03
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
