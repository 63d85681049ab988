/// Normalization Form C (UAX #15), so that a password or a name is the same however a keyboard composes its letters.
/// The standard library has no public normaliser, and Foundation's would add ICU to the executable.
public enum NormalizationFormC {
    /// The text in NFC.
    public static func normalize(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        var scalars: [UInt32] = []
        for scalar in text.unicodeScalars { decompose(scalar.value, into: &scalars) }
        var marked = scalars.map { (scalar: $0, marking: combiningClass($0)) }
        order(&marked)
        var normalized = String.UnicodeScalarView()
        normalized.append(contentsOf: compose(marked).compactMap(Unicode.Scalar.init))
        return String(normalized)
    }

    private static let mappings = Mappings(CanonicalDecompositions.table)

    private struct Mappings {
        var decompositions: [UInt32: [UInt32]] = [:]
        /// The key has the first scalar in its upper half and the second in its lower.
        var compositions: [UInt64: UInt32] = [:]

        init(_ table: StaticString) {
            for entry in table.description.split(separator: " ") {
                let sides = entry.split(separator: "=")
                let numbers = sides[1].split { $0 == "+" || $0 == "-" }.compactMap { UInt32($0, radix: 16) }
                guard let composed = UInt32(sides[0], radix: 16) else { continue }
                decompositions[composed] = numbers
                if sides[1].contains("+") { compositions[pair(numbers[0], numbers[1])] = composed }
            }
        }
    }

    private static func pair(_ first: UInt32, _ second: UInt32) -> UInt64 { UInt64(first) << 32 | UInt64(second) }

    /// The Unicode Standard, section 3.12: Hangul syllables are computed, not listed.
    private enum Hangul {
        static let syllables: UInt32 = 0xAC00, leading: UInt32 = 0x1100, vowels: UInt32 = 0x1161
        static let trailing: UInt32 = 0x11A7
        static let leadingCount: UInt32 = 19, vowelCount: UInt32 = 21, trailingCount: UInt32 = 28
        static let syllableCount = leadingCount * vowelCount * trailingCount
    }

    private static func decompose(_ scalar: UInt32, into scalars: inout [UInt32]) {
        if scalar < 0xC0 {
            scalars.append(scalar)
        } else if scalar >= Hangul.syllables, scalar < Hangul.syllables + Hangul.syllableCount {
            let index = scalar - Hangul.syllables
            let block = Hangul.vowelCount * Hangul.trailingCount
            scalars.append(Hangul.leading + index / block)
            scalars.append(Hangul.vowels + index % block / Hangul.trailingCount)
            let trailing = index % Hangul.trailingCount
            if trailing > 0 { scalars.append(Hangul.trailing + trailing) }
        } else if let parts = mappings.decompositions[scalar] {
            for part in parts { decompose(part, into: &scalars) }
        } else {
            scalars.append(scalar)
        }
    }

    private static func combiningClass(_ scalar: UInt32) -> UInt8 {
        Unicode.Scalar(scalar)?.properties.canonicalCombiningClass.rawValue ?? 0
    }

    /// Canonical Ordering Algorithm: each run of marks is sorted by combining class; the sort is stable.
    private static func order(_ marked: inout [(scalar: UInt32, marking: UInt8)]) {
        var start = 0
        while start < marked.count {
            guard marked[start].marking > 0 else { start += 1; continue }
            let end = marked[start...].firstIndex { $0.marking == 0 } ?? marked.count
            let sorted = marked[start..<end].enumerated()
                .sorted { ($0.element.marking, $0.offset) < ($1.element.marking, $1.offset) }
            marked.replaceSubrange(start..<end, with: sorted.map(\.element))
            start = end
        }
    }

    /// Canonical Composition Algorithm: each scalar is composed with the last starter, unless another scalar blocks it.
    private static func compose(_ marked: [(scalar: UInt32, marking: UInt8)]) -> [UInt32] {
        var composed: [UInt32] = []
        var starter: Int?
        var lastMarking: UInt8 = 0
        for (scalar, marking) in marked {
            if let position = starter, let joined = join(composed[position], scalar),
                position == composed.count - 1 || (lastMarking != 0 && lastMarking < marking)
            {
                composed[position] = joined
                continue
            }
            if marking == 0 { starter = composed.count }
            lastMarking = marking
            composed.append(scalar)
        }
        return composed
    }

    private static func join(_ first: UInt32, _ second: UInt32) -> UInt32? {
        if first >= Hangul.leading, first < Hangul.leading + Hangul.leadingCount,
            second >= Hangul.vowels, second < Hangul.vowels + Hangul.vowelCount
        {
            let index = (first - Hangul.leading) * Hangul.vowelCount + second - Hangul.vowels
            return Hangul.syllables + index * Hangul.trailingCount
        }
        if first >= Hangul.syllables, first < Hangul.syllables + Hangul.syllableCount,
            (first - Hangul.syllables) % Hangul.trailingCount == 0,
            second > Hangul.trailing, second < Hangul.trailing + Hangul.trailingCount
        {
            return first + second - Hangul.trailing
        }
        return mappings.compositions[pair(first, second)]
    }
}
