import Testing

@testable import App

@Suite struct GIFTests {
    private func clean(_ sample: SampleGIF) throws -> CleanImage { try CleanImage(cleaning: sample.bytes) }

    private func expect(_ error: ImageError, _ sample: SampleGIF, _ comment: Testing.Comment? = nil) {
        #expect(throws: error, comment) { try CleanImage(cleaning: sample.bytes) }
    }

    @Test func whatIsCleanStaysAsItIs() throws {
        let frames = [SampleGIF.control, SampleGIF.frame(), SampleGIF.control, SampleGIF.frame(x: 1, width: 4)]
        for sample in [SampleGIF(), SampleGIF(blocks: [SampleGIF.loop], frames: frames)] {
            #expect(try clean(sample) == CleanImage(.gif, width: 5, height: 4, bytes: sample.bytes))
        }
    }

    @Test func keepsFramesLoopsAndProfilesAlone() throws {
        let profile = SampleGIF.application("ICCRGBG1012", [1, 2, 3])
        let sample = SampleGIF(blocks: [
            SampleGIF.comment("<script>"), SampleGIF.loop, SampleGIF.application("XMP DataXMP", [1]), profile,
            SampleGIF.application("NETSCAPE2.0", Array("something else".utf8)),
            [0x21, 0x01, 12] + [UInt8](repeating: 1, count: 12) + [2, 65, 66, 0], [0x21, 0x77, 1, 1, 0],
        ])
        #expect(try clean(sample).bytes == SampleGIF(blocks: [SampleGIF.loop, profile]).bytes)
    }

    @Test(arguments: [[0], [0, 0x3B], Array("PK\u{3}\u{4}".utf8), Array("<script>".utf8), SampleGIF().bytes])
    func whatIsBehindTheEndIsDropped(_ trailing: [UInt8]) throws {
        #expect(try clean(SampleGIF(trailing: trailing)).bytes == SampleGIF().bytes)
        // Without a trailer the image ends where no block follows.
        guard trailing.first != SampleGIF().bytes.first, trailing != [0, 0x3B] else { return }
        #expect(try clean(SampleGIF(trailer: [], trailing: trailing)).bytes == SampleGIF().bytes)
    }

    @Test func aMissingTrailerIsAdded() throws {
        let moving = SampleGIF(frames: [SampleGIF.frame(), SampleGIF.frame(x: 1, width: 4)])
        for sample in [SampleGIF(), moving] {
            var cut = sample
            cut.trailer = []
            #expect(try clean(cut).bytes == sample.bytes)
            // An extension that is cut off is dropped.
            cut.trailing = Array(SampleGIF.comment("cut off").dropLast(3))
            #expect(try clean(cut).bytes == sample.bytes)
        }
    }

    @Test func zerosBetweenBlocksAreDropped() throws {
        let zeros: [UInt8] = [0, 0, 0]
        let sample = SampleGIF(
            blocks: [zeros, SampleGIF.loop, zeros], frames: [SampleGIF.frame(), zeros, SampleGIF.frame(), zeros])
        let expected = SampleGIF(blocks: [SampleGIF.loop], frames: [SampleGIF.frame(), SampleGIF.frame()])
        #expect(try clean(sample).bytes == expected.bytes)
    }

    /// A comment without data ends with its first byte.
    @Test func anExtensionMayBeEmpty() throws {
        #expect(try clean(SampleGIF(blocks: [[0x21, 0xFE, 0]])).bytes == SampleGIF().bytes)
    }

    @Test func aScreenWithoutASizeGetsItsFirstFrames() throws {
        let expected = SampleGIF(frames: [SampleGIF.frame(), SampleGIF.frame(width: 2, height: 2)])
        for (width, height) in [(0, 0), (0, 4), (5, 0)] {
            var sample = expected
            (sample.width, sample.height) = (width, height)
            #expect(try clean(sample) == CleanImage(.gif, width: 5, height: 4, bytes: expected.bytes))
        }
    }

    /// As in browsers: a later frame is cut off at the screen, the first one enlarges it.
    @Test func framesMayReachBeyondTheScreen() throws {
        let first = SampleGIF.frame(x: 3, y: 1, width: 5, height: 4)
        #expect(
            try clean(SampleGIF(frames: [first]))
                == CleanImage(.gif, width: 8, height: 5, bytes: SampleGIF(width: 8, height: 5, frames: [first]).bytes))
        let later = SampleGIF(frames: [SampleGIF.frame(), first])
        #expect(try clean(later) == CleanImage(.gif, width: 5, height: 4, bytes: later.bytes))
    }

    @Test func bombsAreRefused() {
        expect(.tooManyPixels, SampleGIF(width: 65_535, height: 65_535))
        func large(_ width: Int, _ height: Int) -> [UInt8] {
            [0x2C, 0, 0, 0, 0] + [width & 255, width >> 8, height & 255, height >> 8].map { UInt8($0) }
                + SampleGIF.frame().dropFirst(9)
        }
        expect(.tooManyPixels, SampleGIF(width: 0, height: 0, frames: [large(65_535, 65_535)]))
        expect(.tooManyPixels, SampleGIF(frames: [SampleGIF.frame(), large(4001, 4000)]))
        expect(
            .tooManyFrames,
            SampleGIF(frames: [SampleGIF.frame()] + Array(repeating: large(4000, 4000), count: 16)))
        let small = SampleGIF.frame(width: 1, height: 1)
        #expect(throws: Never.self) { try clean(SampleGIF(frames: Array(repeating: small, count: 1000))) }
        expect(.tooManyFrames, SampleGIF(frames: Array(repeating: small, count: 1001)))
        expect(.tooManyFrames, SampleGIF(width: 4000, height: 4000, frames: Array(repeating: small, count: 17)))
        #expect(throws: Never.self) { try clean(SampleGIF(width: 4000, height: 4000)) }
    }

    @Test func everyPlaceToCutItIsNoticed() {
        let bytes = SampleGIF(blocks: [SampleGIF.loop]).bytes
        // The trailer alone may be missing.
        for count in 0..<bytes.count - 1 {
            #expect(throws: ImageError.self, "\(count)") { try CleanImage(cleaning: Array(bytes.prefix(count))) }
        }
    }

    @Test func partsThatAreMissingAreNoticed() {
        expect(.damaged, SampleGIF(frames: []))
        expect(.damaged, SampleGIF(width: 0, height: 0, frames: []))
        expect(.damaged, SampleGIF(frames: [SampleGIF.frame(width: 0)]))
        expect(.damaged, SampleGIF(frames: [SampleGIF.frame().dropLast(4) + [0]]), "no data")
        expect(.damaged, SampleGIF(frames: [[0x2D]]), "no block")
    }
}
