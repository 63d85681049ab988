import Testing

@testable import App

@Suite struct PNGTests {
    private func clean(_ sample: SamplePNG) throws -> CleanImage { try CleanImage(cleaning: sample.bytes) }

    private func expect(_ error: ImageError, _ sample: SamplePNG, _ comment: Testing.Comment? = nil) {
        #expect(throws: error, comment) { try CleanImage(cleaning: sample.bytes) }
    }

    @Test func whatIsCleanStaysAsItIs() throws {
        let sample = SamplePNG()
        let image = try clean(sample)
        #expect(image == CleanImage(.png, width: 3, height: 2, bytes: sample.bytes))
    }

    @Test func keepsColoursAndTransparencyAlone() throws {
        let kept = [
            SamplePNG.chunk("gAMA", [0, 0, 1, 2]), SamplePNG.chunk("iCCP", [1, 2]), SamplePNG.chunk("tRNS", [0, 0]),
        ]
        let dropped = ["tEXt", "zTXt", "iTXt", "tIME", "pHYs", "prVt"].map { SamplePNG.chunk($0, [7]) }
        var expected = SamplePNG()
        expected.ancillary = kept
        var sample = SamplePNG()
        sample.ancillary = [dropped[0]] + kept + dropped
        sample.behindData = dropped
        #expect(try clean(sample).bytes == expected.bytes)
        // It unpacks to nobody knows what.
        expected.ancillary = []
        sample.ancillary = [SamplePNG.chunk("iCCP", [UInt8](repeating: 0, count: 70_000))]
        sample.behindData = []
        #expect(try clean(sample).bytes == expected.bytes)
    }

    @Test(arguments: [true, false]) func ofTheEXIFTheTurnIsLeft(_ isLittleEndian: Bool) throws {
        var sample = SamplePNG()
        sample.behindData = [SamplePNG.chunk("eXIf", SampleEXIF.tiff(orientation: 6, isLittleEndian: isLittleEndian))]
        let image = try clean(sample)
        #expect((image.width, image.height) == (2, 3))
        #expect(!image.bytes.contains(SampleEXIF.place))
        #expect(try CleanImage(cleaning: image.bytes) == image)
    }

    @Test func bombsAreRefused() {
        for (width, height) in [(50_000, 50_000), (4001, 4000), (1 << 31, 1), (0xFFFF_FFFF, 0xFFFF_FFFF)] {
            expect(.tooManyPixels, SamplePNG(width: width, height: height))
        }
        #expect(throws: Never.self) { try clean(SamplePNG(width: 4000, height: 4000)) }
        expect(.damaged, SamplePNG(width: 0))
        expect(.damaged, SamplePNG(height: 0))
    }

    @Test(arguments: [
        [0, 0, 0], Array("PK\u{3}\u{4}".utf8), SamplePNG.chunk("tEXt", [1]), SamplePNG.chunk("IDAT", [1]),
        SamplePNG.end,
    ]) func whatIsBehindTheEndIsDropped(_ trailing: [UInt8]) throws {
        #expect(try clean(SamplePNG(trailing: trailing)).bytes == SamplePNG().bytes)
    }

    @Test(arguments: ["tEXt", "gAMA", "iCCP", "eXIf", "prVt"])
    func anAncillaryChunkWithAWrongChecksumIsDropped(_ type: String) throws {
        var chunk = SamplePNG.chunk(type, [0, 0, 1, 2])
        chunk[chunk.count - 1] ^= 1
        #expect(try clean(SamplePNG(ancillary: [chunk])).bytes == SamplePNG().bytes)
        #expect(try clean(SamplePNG(behindData: [chunk])).bytes == SamplePNG().bytes)
    }

    @Test func anAncillaryChunkInAWrongPlaceIsDropped() throws {
        let gamma = SamplePNG.chunk("gAMA", [0, 0, 1, 2])
        #expect(try clean(SamplePNG(behindData: [gamma])).bytes == SamplePNG().bytes)
        #expect(try clean(SamplePNG(ancillary: [gamma, gamma])).bytes == SamplePNG(ancillary: [gamma]).bytes)
    }

    /// PNG Specification, 11.2.3: chunks may divide the data anywhere.
    @Test func imageDataMayBeDividedAnywhere() throws {
        let bytes = SamplePNG.pixels(3, 2).map { SamplePNG.chunk("IDAT", [$0]) }
        for data in [bytes, [SamplePNG.chunk("IDAT")] + bytes] {
            let sample = SamplePNG(data: data)
            #expect(try clean(sample).bytes == sample.bytes)
        }
        expect(.damaged, SamplePNG(data: [SamplePNG.chunk("IDAT", [0x78])]), "half a zlib header")
    }

    /// The checksum of IEND alone may be cut off or wrong: the image is whole then.
    private static let checksumSize = 4

    @Test func everyPlaceToCutItIsNoticed() throws {
        let bytes = SamplePNG().bytes
        for count in 0..<bytes.count - Self.checksumSize {
            #expect(throws: ImageError.self, "\(count)") { try CleanImage(cleaning: Array(bytes.prefix(count))) }
        }
        for count in bytes.count - Self.checksumSize..<bytes.count {
            #expect(try CleanImage(cleaning: Array(bytes.prefix(count))).bytes == bytes)
        }
    }

    @Test func eachBitThatTurnsIsNoticed() {
        let bytes = SamplePNG().bytes
        for index in bytes.indices.dropLast(Self.checksumSize) {
            var damaged = bytes
            damaged[index] ^= 0x20
            #expect(throws: ImageError.self, "\(index)") { try CleanImage(cleaning: damaged) }
        }
    }

    @Test func chunksStandWhereTheyBelong() {
        let data = SamplePNG.chunk("IDAT", SamplePNG.pixels(3, 2))
        let palette = SamplePNG.chunk("PLTE", [1, 2, 3])
        expect(.damaged, SamplePNG(data: []), "no data")
        expect(.damaged, SamplePNG(data: [SamplePNG.chunk("IDAT")]), "no zlib header")
        expect(.damaged, SamplePNG(data: [SamplePNG.chunk("IDAT", [0x78, 0x02, 0])]), "another zlib header")
        expect(.damaged, SamplePNG(data: [data, SamplePNG.chunk("tIME"), data]), "data apart")
        expect(.damaged, SamplePNG(behindData: [palette]), "a palette behind the data")
        expect(.damaged, SamplePNG(ancillary: [palette, palette]), "two palettes")
        expect(.damaged, SamplePNG(ancillary: [SamplePNG().header]), "two headers")
        expect(.damaged, SamplePNG(details: [8, 3, 0, 0, 0]), "no palette")
        expect(.damaged, SamplePNG(details: [16, 3, 0, 0, 0], ancillary: [palette]), "indices of 16 bits")
        expect(.damaged, SamplePNG(details: [8, 0, 1, 0, 0]), "another compression")
        expect(.damaged, SamplePNG(details: [8, 0, 0, 0, 2]), "another interlace")
        expect(.unsupported, SamplePNG(ancillary: [SamplePNG.chunk("CgBI", [1])]), "an unknown critical chunk")
        expect(.damaged, SamplePNG(ancillary: [SamplePNG.chunk("a\u{1}bc", [1])]), "no letters")
        expect(.damaged, SamplePNG(data: [], behindData: [SamplePNG.end, data]), "an early end")
    }

    /// An animation with errors leaves its still image.
    @Test func anAnimationHasTheFramesThatItAnnounces() throws {
        func control(_ sequence: Int, x: Int = 0) -> [UInt8] {
            SamplePNG.chunk("fcTL", [sequence, 3 - x, 2, x, 0].flatMap(SamplePNG.big32) + [0, 1, 0, 10, 0, 0])
        }
        func sample(_ announced: Int, _ behind: [[UInt8]]) -> SamplePNG {
            var sample = SamplePNG(ancillary: [
                SamplePNG.chunk("acTL", [announced, 0].flatMap(SamplePNG.big32)), control(0),
            ])
            sample.behindData = behind
            return sample
        }
        let data = SamplePNG.chunk("fdAT", SamplePNG.big32(2) + SamplePNG.pixels(3, 2))
        #expect(try clean(sample(2, [control(1), data])).bytes == sample(2, [control(1), data]).bytes)
        var broken = data
        broken[broken.count - 1] ^= 1
        for wrong in [
            sample(3, [control(1), data]), sample(1, [control(1), data]), sample(2, [control(2), data]), sample(0, []),
            sample(2, [control(1), broken]), sample(2, [control(1), SamplePNG.chunk("fdAT", [0])]),
        ] {
            #expect(try clean(wrong).bytes == SamplePNG().bytes)
        }
        var outside = sample(2, [control(1, x: 1), data])
        #expect(throws: Never.self) { try clean(outside) }
        outside.width = 2
        outside.data = [SamplePNG.chunk("IDAT", SamplePNG.pixels(2, 2))]
        #expect(try clean(outside).bytes == SamplePNG(width: 2).bytes)
        var bomb = sample(20, (1..<20).map { control($0) })
        (bomb.width, bomb.height) = (4000, 4000)
        expect(.tooManyFrames, bomb)
    }
}

extension [UInt8] {
    func contains(_ other: [UInt8]) -> Bool {
        indices.contains { self[$0...].starts(with: other) }
    }
}
