import Testing

@testable import App

/// JPEGs without an end marker: each scan is decoded up to its last unit. In the bits of a scan, spaces separate each code
/// from the bits that follow it.
@Suite struct JPEGScansTests {
    private typealias Sample = SampleJPEG

    private static let end: [UInt8] = [0xFF, 0xD9]

    /// Codes of two bits for the end of a block, one coefficient and the end of a band, and of three for 16 zeros.
    private static let codes: [UInt8] = Sample.segment(
        0xC4,
        [0x00, 1] + [UInt8](repeating: 0, count: 16) + [0x10, 0, 3, 1] + [UInt8](repeating: 0, count: 13)
            + [0x00, 0x01, 0x10, 0xF0])

    private static func frame(
        _ marker: UInt8, _ width: UInt8, _ height: UInt8, _ samplings: [UInt8]
    ) -> [UInt8] {
        let components = samplings.enumerated().flatMap { item -> [UInt8] in [UInt8(item.offset) + 1, item.element, 0] }
        return Sample.segment(marker, [8, 0, height, 0, width, UInt8(samplings.count)] + components)
    }

    private static func file(_ frame: [UInt8], huffman: [UInt8] = Sample.huffman, _ scans: [[UInt8]]) -> [UInt8] {
        [0xFF, 0xD8] + Sample.quantization + frame + huffman + scans.flatMap { $0 }
    }

    /// The image is taken with any bytes behind its last unit, and refused where a scan lacks its last byte.
    private func expectWhole(
        _ frame: [UInt8], huffman: [UInt8] = Sample.huffman, _ scans: [[UInt8]],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let file = Self.file(frame, huffman: huffman, scans)
        for trailing in [[], [0x0A], [0x55, 0x55], [0xFF], [0xFF, 0xD8, 0xFF]] as [[UInt8]] {
            let image = try CleanImage(cleaning: file + trailing)
            #expect(image.bytes == file + Self.end, "\(trailing)", sourceLocation: sourceLocation)
        }
        for index in scans.indices {
            var cut = scans
            cut[index].removeLast()
            #expect(throws: ImageError.damaged, "scan \(index)", sourceLocation: sourceLocation) {
                try CleanImage(cleaning: Self.file(frame, huffman: huffman, cut))
            }
        }
    }

    /// 16 x 16 with colours of half the size: a unit has four blocks of brightness and one of each colour.
    @Test func unitsHaveTheBlocksOfTheirSampling() throws {
        let frame = Self.frame(0xC0, 16, 16, [0x22, 0x11, 0x11])
        try expectWhole(frame, [Sample.scan([1, 2, 3], Sample.bits("00 00 00 00  00  00"))])
    }

    /// Alone, a component has the blocks of its own size: 3 x 3 of 17 x 17 pixels, and 2 x 2 of the half.
    @Test func aComponentAloneHasNoFurtherBlocks() throws {
        let frame = Self.frame(0xC0, 17, 17, [0x22, 0x11, 0x11])
        let (bright, colour) = (String(repeating: "00", count: 9), String(repeating: "00", count: 4))
        try expectWhole(
            frame,
            [
                Sample.scan([1], Sample.bits(bright)), Sample.scan([2], Sample.bits(colour)),
                Sample.scan([3], Sample.bits(colour)),
            ])
        // A component without a scan is missing.
        #expect(throws: ImageError.damaged) {
            try CleanImage(cleaning: Self.file(frame, [Sample.scan([1], Sample.bits(bright))]))
        }
    }

    @Test func coefficientsHaveTheirBits() throws {
        let frame = Self.frame(0xC0, 8, 8, [0x11])
        // The first coefficient without bits; a coefficient and its bit; 16 zeros; the end. The ninth bit is in a second byte.
        try expectWhole(frame, huffman: Self.codes, [Sample.scan([1], Sample.bits("0 01 1 110 00"))])
        // 63 coefficients need no end.
        let all = "0" + String(repeating: "01 1", count: 63)
        try expectWhole(frame, huffman: Self.codes, [Sample.scan([1], Sample.bits(all))])
    }

    @Test func restartsAreCounted() throws {
        let frame = Self.frame(0xC0, 80, 8, [0x11])
        let interval = Sample.segment(0xDD, [0, 1])
        func scan(_ restarts: [UInt8]) -> [UInt8] {
            let units: [UInt8] = restarts.flatMap { number -> [UInt8] in Sample.bits("00") + [0xFF, 0xD0 + number] }
            return Sample.scan([1], units + Sample.bits("00"))
        }
        let numbers = (0..<9).map { UInt8($0 % 8) }
        try expectWhole(frame, huffman: Sample.huffman + interval, [scan(numbers)])
        #expect(throws: ImageError.damaged) {
            try CleanImage(cleaning: Self.file(frame, huffman: Sample.huffman + interval, [scan(numbers.reversed())]))
        }
        #expect(throws: ImageError.damaged) {
            try CleanImage(cleaning: Self.file(frame, huffman: Sample.huffman + interval, [scan(numbers.dropLast())]))
        }
    }

    /// The tables of first and other coefficients have numbers of their own.
    @Test func eachScanNamesItsTables() throws {
        var codes = Self.codes
        // The table of the other coefficients becomes number 1. Its codes have two bits, those of the first one.
        codes[4 + 18] = 0x11
        let scan = Sample.scan([1], tables: 0x01, Sample.bits("0 01 1 110 00"))
        try expectWhole(Self.frame(0xC0, 8, 8, [0x11]), huffman: codes, [scan])
    }

    /// 24 x 8: three blocks.
    private let progressive = frame(0xC2, 24, 8, [0x11])
    private let first = Sample.scan([1], band: 0...0, approximation: 0x01, Sample.bits("0 0 0"))
    private let refined = Sample.scan([1], band: 0...0, approximation: 0x10, Sample.bits("1 1 1"))

    @Test func progressiveScansAreFollowed() throws {
        // A coefficient and the end in the first block; the other two end together.
        let band = Sample.scan([1], band: 1...63, approximation: 0x02, Sample.bits("01 1 00  10 0"))
        // A new coefficient behind the known one, which has a bit; the end; two blocks end together. Without the known
        // one's bit these would be eight bits.
        let further = Sample.scan([1], band: 1...63, approximation: 0x21, Sample.bits("01 1 0 00  10 0"))
        #expect(further.suffix(2) == [0x62, 0x7F])
        // Three blocks end together, and the known coefficients of the first have their bits.
        let last = Sample.scan([1], band: 1...63, approximation: 0x10, Sample.bits("10 1  11"))
        let scans = [first, band, refined, further, last]
        try expectWhole(progressive, huffman: Self.codes, scans)
        // Without any of the later scans the image lacks bits.
        for count in 1..<scans.count {
            let file = Self.file(progressive, huffman: Self.codes, Array(scans.prefix(count)))
            #expect(throws: ImageError.damaged, "\(count) scans") { try CleanImage(cleaning: file) }
            // With its end marker it is what its author made.
            #expect(throws: Never.self) { try CleanImage(cleaning: file + Self.end) }
        }
    }

    /// Runs of zeros are counted among the coefficients that are still zero.
    @Test func runsPassOverKnownCoefficients() throws {
        // Coefficients 1 and 2 of the first block are known.
        let band = Sample.scan([1], band: 1...63, approximation: 0x01, Sample.bits("01 1 01 1 00  10 0"))
        // 16 zeros pass over the two known ones, which have their bits; a coefficient; the end.
        let last = Sample.scan([1], band: 1...63, approximation: 0x10, Sample.bits("110 1 1 01 1 00  10 0"))
        try expectWhole(progressive, huffman: Self.codes, [first, refined, band, last])
    }

    /// A restart ends a run of blocks without coefficients.
    @Test func aRestartEndsARun() throws {
        let interval = Sample.segment(0xDD, [0, 2])
        let direct = Sample.scan(
            [1], band: 0...0, Sample.bits("0 0") + [0xFF, 0xD0] + Sample.bits("0"))
        // Three blocks would end together, but the third begins anew.
        let band = Sample.scan(
            [1], band: 1...63, Sample.bits("10 1") + [0xFF, 0xFF, 0xD0] + Sample.bits("00"))
        try expectWhole(progressive, huffman: Self.codes + interval, [direct, band])
    }

    @Test func scansThatCannotBeDecodedAreRefused() {
        let sequential = Self.frame(0xC0, 8, 8, [0x11])
        let progressive = Self.frame(0xC2, 8, 8, [0x11])
        let direct = Sample.scan([1], band: 0...0, Sample.bits("0"))
        for (file, comment) in [
            (Self.file(sequential, [Sample.scan([1], tables: 0x11, [0])]), "no such tables"),
            (Self.file(sequential, [Sample.scan([1], tables: 0x44, [0])]), "no such numbers"),
            (Self.file(sequential, [Sample.scan([1], Sample.bits("1"))]), "no such code"),
            (Self.file(progressive, [Sample.scan([1], Sample.bits("0 0"))]), "a band with the first coefficient"),
            (Self.file(progressive, [direct, Sample.scan([1], band: 5...64, [0])]), "a band beyond the block"),
            (Self.file(progressive, [Sample.scan([1], band: 1...63, [0])]), "no first coefficients"),
            (Self.file(progressive, [direct]), "no other coefficients"),
        ] {
            #expect(throws: ImageError.damaged, "\(comment)") { try CleanImage(cleaning: file) }
        }
    }
}
