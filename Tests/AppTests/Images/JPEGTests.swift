import Testing

@testable import App

@Suite struct JPEGTests {
    private func clean(_ sample: SampleJPEG) throws -> CleanImage { try CleanImage(cleaning: sample.bytes) }

    private func expect(_ error: ImageError, _ sample: SampleJPEG, _ comment: Testing.Comment? = nil) {
        #expect(throws: error, comment) { try CleanImage(cleaning: sample.bytes) }
    }

    @Test(arguments: [0xC0, 0xC1, 0xC2] as [UInt8], [1, 3, 4] as [UInt8])
    func whatIsCleanStaysAsItIs(_ marker: UInt8, _ components: UInt8) throws {
        let sample = SampleJPEG(frameMarker: marker, components: components)
        #expect(try clean(sample) == CleanImage(.jpeg, width: 16, height: 8, bytes: sample.bytes))
    }

    @Test func keepsColoursAlone() throws {
        let profile = SampleJPEG.segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1, 9, 9])
        let adobe = SampleJPEG.segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1])
        let thumbnail = SampleJPEG.segment(0xE0, Array("JFIF\0".utf8) + [1, 2, 0, 0, 72, 0, 72, 1, 1, 5, 5, 5])
        let dropped = [
            SampleJPEG.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0<x/>".utf8)),
            SampleJPEG.segment(0xE2, Array("MPF\0".utf8)), SampleJPEG.segment(0xED, Array("Photoshop 3.0\0".utf8)),
            SampleJPEG.segment(0xFE, Array("<script>".utf8)), SampleJPEG.segment(0xE0, Array("JFXX\0".utf8)),
        ]
        let sample = SampleJPEG(metadata: [thumbnail] + dropped + [profile, adobe])
        #expect(try clean(sample).bytes == SampleJPEG(metadata: [SampleJPEG.jfif, profile, adobe]).bytes)
    }

    @Test(arguments: [true, false]) func ofTheEXIFTheTurnIsLeft(_ isLittleEndian: Bool) throws {
        for orientation in UInt8(2)...8 {
            let exif = SampleJPEG.exif(SampleEXIF.tiff(orientation: orientation, isLittleEndian: isLittleEndian))
            let image = try clean(SampleJPEG(metadata: [SampleJPEG.jfif, exif]))
            #expect((image.width, image.height) == (orientation < 5 ? (16, 8) : (8, 16)))
            #expect(!image.bytes.contains(SampleEXIF.place))
            #expect(try CleanImage(cleaning: image.bytes) == image)
        }
        for orientation in [0, 1, 9] as [UInt8] {
            let image = try clean(SampleJPEG(metadata: [SampleJPEG.exif(SampleEXIF.tiff(orientation: orientation))]))
            #expect(image.bytes == SampleJPEG(metadata: []).bytes)
        }
    }

    /// A directory that points anywhere is read nowhere.
    @Test func aBrokenEXIFIsLeftOut() throws {
        let tiff = SampleEXIF.tiff(orientation: 6)
        for index in 0..<34 {
            for value in [0, 0x7F, 0xFF] as [UInt8] {
                var broken = tiff
                broken[index] = value
                #expect(throws: Never.self) { try clean(SampleJPEG(metadata: [SampleJPEG.exif(broken)])) }
            }
            let cut = SampleJPEG.exif(Array(tiff.prefix(index)))
            #expect(try clean(SampleJPEG(metadata: [cut])).bytes == SampleJPEG(metadata: []).bytes)
        }
    }

    @Test func whatBrowsersDoNotShowIsRefused() {
        for marker in [0xC3, 0xC5, 0xC9, 0xCA, 0xDC] as [UInt8] {
            expect(.unsupported, SampleJPEG(frameMarker: marker))
        }
        expect(.unsupported, SampleJPEG(components: 2))
    }

    @Test func bombsAreRefused() {
        expect(.tooManyPixels, SampleJPEG(width: 65_535, height: 65_535))
        expect(.damaged, SampleJPEG(height: 0))
        #expect(throws: Never.self) { try clean(SampleJPEG(scans: ImageLimits.scans)) }
        expect(.tooManyFrames, SampleJPEG(scans: ImageLimits.scans + 1))
    }

    @Test func everyPlaceToCutItIsNoticed() {
        let bytes = SampleJPEG().bytes
        for count in 0..<bytes.count {
            #expect(throws: ImageError.self, "\(count)") { try CleanImage(cleaning: Array(bytes.prefix(count))) }
        }
    }

    @Test func partsThatAreMissingAreNoticed() {
        expect(.damaged, SampleJPEG(scans: 0))
        expect(.damaged, SampleJPEG(data: []))
        expect(.damaged, SampleJPEG(metadata: [SampleJPEG().scan]), "a scan before the frame")
        expect(.damaged, SampleJPEG(metadata: [SampleJPEG().frame]), "two frames")
        expect(.damaged, SampleJPEG(metadata: [SampleJPEG.segment(0xDB, [0x40])]), "another table")
        expect(.damaged, SampleJPEG(metadata: [SampleJPEG.segment(0xC4, [0] + [UInt8](repeating: 17, count: 16))]))
        expect(.damaged, SampleJPEG(metadata: [[0xFF, 0xE5, 0, 1]]), "shorter than its length")
        expect(.damaged, SampleJPEG(metadata: [SampleJPEG.jfif, [0x00]]), "no marker")
    }

    @Test func whatCamerasAppendIsLeftOutAndTheRestRefused() throws {
        let film = [0, 0, 0, 24] + Array("ftypmp42 and so on".utf8)
        for trailing in [SampleJPEG().bytes, film, Array("anythingSEFT".utf8), [0, 0]] {
            #expect(try clean(SampleJPEG(trailing: trailing)).bytes == SampleJPEG().bytes)
        }
        for text in ["PK\u{3}\u{4}", "<html>", "%PDF-1.7"] {
            expect(.trailingData, SampleJPEG(trailing: Array(text.utf8)))
        }
    }
}
