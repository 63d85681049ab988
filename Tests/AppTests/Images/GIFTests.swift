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

    @Test func anArchiveBehindItIsRefused() throws {
        expect(.trailingData, SampleGIF(trailing: Array("PK\u{3}\u{4}".utf8)))
        expect(.trailingData, SampleGIF(trailing: [0, 0x3B]))
        #expect(try clean(SampleGIF(trailing: [0])).bytes == SampleGIF().bytes)
    }

    @Test func bombsAreRefused() {
        expect(.tooManyPixels, SampleGIF(width: 65_535, height: 65_535))
        expect(.damaged, SampleGIF(width: 0))
        let small = SampleGIF.frame(width: 1, height: 1)
        #expect(throws: Never.self) { try clean(SampleGIF(frames: Array(repeating: small, count: 1000))) }
        expect(.tooManyFrames, SampleGIF(frames: Array(repeating: small, count: 1001)))
        expect(.tooManyFrames, SampleGIF(width: 4000, height: 4000, frames: Array(repeating: small, count: 17)))
        #expect(throws: Never.self) { try clean(SampleGIF(width: 4000, height: 4000)) }
    }

    @Test func everyPlaceToCutItIsNoticed() {
        let bytes = SampleGIF(blocks: [SampleGIF.loop]).bytes
        for count in 0..<bytes.count {
            #expect(throws: ImageError.self, "\(count)") { try CleanImage(cleaning: Array(bytes.prefix(count))) }
        }
    }

    @Test func framesLieWithinTheScreen() {
        expect(.damaged, SampleGIF(frames: []))
        expect(.damaged, SampleGIF(frames: [SampleGIF.frame(x: 1)]))
        expect(.damaged, SampleGIF(frames: [SampleGIF.frame(width: 0)]))
        expect(.damaged, SampleGIF(frames: [SampleGIF.frame().dropLast(4) + [0]]), "no data")
        expect(.damaged, SampleGIF(frames: [[0x2D]]), "no block")
    }
}
