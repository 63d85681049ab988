import Testing

@testable import App

@Suite struct WebPTests {
    private typealias Sample = SampleWebP

    private func expect(_ error: ImageError, _ bytes: [UInt8], _ comment: Testing.Comment? = nil) {
        #expect(throws: error, comment) { try CleanImage(cleaning: bytes) }
    }

    private static let alpha = Sample.chunk("ALPH", [0, 1])
    private static let profile = Sample.chunk("ICCP", [1, 2, 3])
    private static let xmp = Sample.chunk("XMP ", Array("<x/>".utf8))

    @Test func whatIsCleanStaysAsItIs() throws {
        let files = [
            Sample.file(Sample.lossy(6, 4)), Sample.file(Sample.lossless(6, 4, alpha: true)),
            Sample.file(Sample.extended(0x10, 6, 4), Self.alpha, Sample.lossy(6, 4)),
            Sample.file(Sample.extended(0x20, 6, 4), Self.profile, Sample.lossless(6, 4)),
            Sample.file(
                Sample.extended(0x12, 6, 4), Sample.animation, Sample.frame(6, 4, Self.alpha, Sample.lossy(6, 4)),
                Sample.frame(4, 4, x: 2, Sample.lossless(4, 4))),
        ]
        for file in files {
            #expect(try CleanImage(cleaning: file) == CleanImage(.webP, width: 6, height: 4, bytes: file))
        }
    }

    @Test func keepsColoursAndTransparencyAlone() throws {
        let xmp = Self.xmp
        #expect(try CleanImage(cleaning: Sample.file(Sample.lossy(6, 4), xmp)).bytes == Sample.file(Sample.lossy(6, 4)))
        let file = Sample.file(Sample.extended(0x2C, 6, 4), xmp, Self.profile, Sample.lossy(6, 4), xmp)
        let cleaned = Sample.file(Sample.extended(0x20, 6, 4), Self.profile, Sample.lossy(6, 4))
        #expect(try CleanImage(cleaning: file).bytes == cleaned)
        let moving = Sample.file(
            Sample.extended(0x02, 6, 4), Sample.animation, Sample.frame(6, 4, xmp, Sample.lossy(6, 4), xmp))
        let still = Sample.file(Sample.extended(0x02, 6, 4), Sample.animation, Sample.frame(6, 4, Sample.lossy(6, 4)))
        #expect(try CleanImage(cleaning: moving).bytes == still)
    }

    @Test(arguments: ["", "Exif\0\0"]) func ofTheEXIFTheTurnIsLeft(_ prefix: String) throws {
        let exif = Sample.chunk("EXIF", Array(prefix.utf8) + SampleEXIF.tiff(orientation: 8, isLittleEndian: true))
        let image = try CleanImage(cleaning: Sample.file(Sample.extended(0x08, 6, 4), Sample.lossy(6, 4), exif))
        #expect((image.width, image.height) == (4, 6))
        #expect(!image.bytes.contains(SampleEXIF.place))
        #expect(try CleanImage(cleaning: image.bytes) == image)
    }

    @Test func measuresAgree() {
        expect(.damaged, Sample.file(Sample.extended(0, 6, 5), Sample.lossy(6, 4)))
        expect(
            .damaged, Sample.file(Sample.extended(2, 6, 4), Sample.animation, Sample.frame(4, 4, Sample.lossy(6, 4))))
        expect(
            .damaged,
            Sample.file(Sample.extended(2, 6, 4), Sample.animation, Sample.frame(6, 4, x: 2, Sample.lossy(6, 4))))
    }

    @Test func partsThatAreMissingOrTooManyAreNoticed() {
        expect(.damaged, Sample.file())
        expect(.damaged, Sample.file(Sample.extended(0, 6, 4)))
        expect(.damaged, Sample.file(Sample.extended(0x10, 6, 4), Self.alpha))
        expect(.damaged, Sample.file(Sample.lossy(6, 4), Sample.lossy(6, 4)))
        expect(.damaged, Sample.file(Self.alpha, Sample.lossless(6, 4)))
        expect(.damaged, Sample.file(Sample.extended(2, 6, 4), Sample.animation))
        expect(.damaged, Sample.file(Sample.extended(2, 6, 4), Sample.frame(6, 4, Sample.lossy(6, 4))))
        expect(.damaged, Sample.file(Sample.extended(2, 6, 4), Sample.animation, Sample.frame(6, 4)))
        expect(.damaged, Sample.file(Sample.extended(2, 6, 4), Sample.animation, Sample.lossy(6, 4)))
        expect(
            .damaged, Sample.file(Sample.chunk("VP8 ", [0x51, 0, 0, 0x9D, 1, 0x2A, 6, 0, 4, 0, 1, 2])), "no key frame")
        expect(
            .damaged, Sample.file(Sample.chunk("VP8 ", [0xF0, 9, 0, 0x9D, 1, 0x2A, 6, 0, 4, 0, 1, 2])), "no partition")
        expect(.damaged, Sample.file(Sample.chunk("VP8L", [0x2E, 5, 0, 0, 0, 7])))
        expect(.unsupported, Sample.file(Sample.chunk("VP8L", [0x2F, 5, 0, 0, 0x20, 7])), "a later version")
        expect(.unsupported, Array("RIFF\u{4}\0\0\0WAVE".utf8))
    }

    @Test func bombsAreRefused() {
        expect(.tooManyPixels, Sample.file(Sample.lossless(16_384, 16_384)))
        expect(.tooManyPixels, Sample.file(Sample.lossy(16_383, 16_383)))
        expect(.damaged, Sample.file(Sample.lossy(0, 4)))
        let frame = Sample.frame(1, 1, Sample.lossy(1, 1))
        func moving(_ width: Int, _ count: Int) -> [UInt8] {
            Sample.file(
                Sample.extended(2, width, width), Sample.animation, Array(repeating: frame, count: count).flatMap { $0 }
            )
        }
        #expect(throws: Never.self) { try CleanImage(cleaning: moving(4000, 16)) }
        expect(.tooManyFrames, moving(4000, 17))
        expect(.tooManyFrames, moving(1, 1001))
    }

    @Test func everyPlaceToCutItIsNoticedAndTheRestDropped() throws {
        let bytes = Sample.file(Sample.extended(0x20, 6, 4), Self.profile, Sample.lossy(6, 4))
        for count in 0..<bytes.count { expectAny(Array(bytes.prefix(count)), "\(count)") }
        for trailing in ["\n", "\0\0\0", "PK\u{3}\u{4}", "<html>"] {
            #expect(try CleanImage(cleaning: bytes + Array(trailing.utf8)).bytes == bytes)
        }
    }

    /// The last chunk has a padding byte.
    @Test func paddingNeedNotBeExact() throws {
        let bytes = Sample.file(Sample.lossless(6, 4) + Sample.chunk("XMP ", [1, 2, 3]))
        let clean = Sample.file(Sample.lossless(6, 4))
        func counting(_ difference: Int, _ bytes: [UInt8]) -> [UInt8] {
            var file = bytes
            file[4] = UInt8(Int(file[4]) + difference)
            return file
        }
        for file in [
            bytes, bytes.dropLast(), counting(-1, bytes), counting(-1, bytes.dropLast()),
            counting(2, bytes + [0, 0]), counting(7, bytes + [UInt8](repeating: 0, count: 7)),
        ] {
            #expect(try CleanImage(cleaning: file).bytes == clean, "\(file)")
        }
        // More than a byte is missing.
        expect(.damaged, counting(2, bytes))
        expect(.damaged, Array(bytes.dropLast(2)))
    }

    private func expectAny(_ bytes: [UInt8], _ comment: Testing.Comment) {
        #expect(throws: ImageError.self, comment) { try CleanImage(cleaning: bytes) }
    }
}
