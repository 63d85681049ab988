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
        // The end marker alone may be missing.
        for count in 0..<bytes.count - 2 {
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
        expect(.damaged, SampleJPEG(metadata: [[0xFF, 0xDB, 0, 1]]), "shorter than its length")
    }

    static let trailing: [[UInt8]] = [
        [0x0A], [0, 0], [0xFF, 0xD9], [UInt8](repeating: 0xFF, count: 100), SampleJPEG().bytes,
        [0, 0, 0, 24] + Array("ftypmp42 and so on".utf8), Array("a vendor's trailerSEFT".utf8), Array(0...255),
        Array("PK\u{3}\u{4}".utf8), Array("<html>".utf8), Array("%PDF-1.7".utf8),
    ]

    @Test(arguments: trailing) func whatIsBehindTheEndIsDropped(_ trailing: [UInt8]) throws {
        #expect(try clean(SampleJPEG(trailing: trailing)).bytes == SampleJPEG().bytes)
    }

    @Test(arguments: trailing.filter { $0 != [0xFF, 0xD9] } + [[], [0xFF]], [0xC0, 0xC1] as [UInt8])
    func aMissingEndMarkerIsAdded(_ trailing: [UInt8], _ marker: UInt8) throws {
        let sample = SampleJPEG(frameMarker: marker, components: 3, end: [], trailing: trailing)
        #expect(try clean(sample).bytes == SampleJPEG(frameMarker: marker, components: 3).bytes)
    }

    /// The limits hold for images without an end marker, too.
    @Test func aMissingEndMarkerEvadesNoLimit() {
        expect(.tooManyPixels, SampleJPEG(width: 65_535, height: 65_535, end: []))
        expect(.tooManyFrames, SampleJPEG(scans: ImageLimits.scans + 1, end: []))
    }

    /// Markers without data, and the number of lines that the frame has said.
    @Test(arguments: [[0xFF, 0x01], [0xFF, 0xDC, 0, 4, 0, 8]] as [[UInt8]])
    func markersBetweenScansAreDropped(_ marker: [UInt8]) throws {
        let scan = SampleJPEG().scan
        let sample = SampleJPEG(data: SampleJPEG.bits("0000") + marker + scan)
        #expect(try clean(sample).bytes == SampleJPEG(scans: 2).bytes)
    }

    /// libjpeg reads these bytes of a longer marker.
    @Test func anAdobeMarkerMayBeLonger() throws {
        let adobe = Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 2]
        let long = SampleJPEG(components: 4, metadata: [SampleJPEG.segment(0xEE, adobe + Array("and more".utf8))])
        #expect(
            try clean(long).bytes
                == SampleJPEG(components: 4, metadata: [SampleJPEG.segment(0xEE, adobe)]).bytes)
    }

    /// libjpeg passes over bytes that are no segment, and takes metadata with a length of 0 or 1.
    @Test func bytesBetweenSegmentsAreDropped() throws {
        let between: [[UInt8]] = [[0, 1, 2], [0xFF, 0], [0xFF, 0xD3], [0xFF, 0xFE, 0, 0], [0xFF, 0xE5, 0, 1]]
        for bytes in between {
            #expect(try clean(SampleJPEG(metadata: [SampleJPEG.jfif, bytes])).bytes == SampleJPEG().bytes)
        }
    }
}
