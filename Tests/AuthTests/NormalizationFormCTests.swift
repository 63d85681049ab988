import TestSupport
import Testing

@testable import Auth

@Suite struct NormalizationFormCTests {
    private func scalars(_ text: String) -> [Unicode.Scalar] { Array(text.unicodeScalars) }

    private func string(_ scalars: [Unicode.Scalar]) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    private func isRight(_ text: String) -> Bool {
        scalars(NormalizationFormC.normalize(text)) == text.standardNFC
    }

    /// All planes that have characters with decompositions.
    @Test func everyScalarInBothForms() {
        var wrong: [String] = []
        for value in UInt32(0)..<0x30000 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let composed = String(scalar)
            if !isRight(composed) || !isRight(string(composed.standardNFD)) { wrong.append(composed) }
        }
        #expect(wrong.isEmpty)
    }

    @Test func randomSequencesOfLettersMarksAndJamo() {
        var generator = SeededGenerator(seed: 1)
        let pool: [ClosedRange<UInt32>] = [
            0x41...0x5A, 0xC0...0x24F, 0x300...0x345, 0x300...0x345, 0x1100...0x1112, 0x1161...0x1175, 0x11A7...0x11C2,
            0xAC00...0xAC40, 0x1E00...0x1EFF, 0x915...0x93C, 0x9BE...0x9D7, 0x591...0x5C7, 0x3099...0x309A,
            0x304B...0x3050,
        ]
        var wrong: [String] = []
        for _ in 0..<10_000 {
            let text = string(
                (0..<Int.random(in: 1...8, using: &generator)).compactMap { _ in
                    pool.randomElement(using: &generator).flatMap { range in
                        Unicode.Scalar(UInt32.random(in: range, using: &generator))
                    }
                })
            if !isRight(text) { wrong.append(text) }
        }
        #expect(wrong.isEmpty)
    }

    @Test func composedAndDecomposedBecomeTheSameBytes() {
        let composed = NormalizationFormC.normalize("Pässwörd-Ångström-한글")
        let decomposed = NormalizationFormC.normalize(
            "Pa\u{308}sswo\u{308}rd-A\u{30A}ngstro\u{308}m-\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}")
        #expect(Array(composed.utf8) == Array(decomposed.utf8))
    }

    @Test func longRunsOfMarksAreNotQuadratic() {
        func time(of count: Int) -> Duration {
            let text = "a" + String(repeating: "\u{301}\u{323}", count: count)
            return processorTime { _ = NormalizationFormC.normalize(text) }
        }
        // Four times as many marks take a linear algorithm four times as long, and a quadratic one sixteen times.
        #expect(time(of: 40_000) < time(of: 10_000) * 8)
    }
}
