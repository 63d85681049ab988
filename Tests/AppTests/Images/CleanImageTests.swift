import TestSupport
import Testing

@testable import App

/// What is told apart by the first bytes alone.
@Suite struct CleanImageTests {
    @Test(arguments: [
        "", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "<!doctype html><script>", "alert(1)", "GIF89", "%PDF-1.7",
        "BM\0\0", "PK\u{3}\u{4}", "RIFF", "II*\0",
    ]) func whatIsNoImageIsRefused(_ text: String) {
        #expect(throws: ImageError.self) { try CleanImage(cleaning: Array(text.utf8)) }
        guard !text.isEmpty else { return }
        #expect(throws: ImageError.self) { try CleanImage(cleaning: Array(text.utf8) + SamplePNG().bytes) }
    }

    @Test func oneByteTooMany() throws {
        func file(_ count: Int) -> [UInt8] {
            let rest = count - SamplePNG().bytes.count - SamplePNG.chunk("tEXt").count
            return SamplePNG(ancillary: [SamplePNG.chunk("tEXt", [UInt8](repeating: 32, count: rest))]).bytes
        }
        #expect(file(1 << 20).count == 1 << 20)
        #expect(try CleanImage(cleaning: file(1 << 20)).bytes == SamplePNG().bytes)
        #expect(throws: ImageError.tooManyBytes) { try CleanImage(cleaning: file(1 << 20 + 1)) }
    }

    /// Random damage: each file is refused, or becomes one that is clean.
    @Test func whatIsStoredIsCleanAlready() throws {
        var generator = SeededGenerator(seed: 7)
        let samples = [
            SamplePNG(ancillary: [SamplePNG.chunk("tEXt", [1, 2])]).bytes, SampleJPEG(components: 3, scans: 3).bytes,
            SampleGIF(
                blocks: [SampleGIF.loop, SampleGIF.comment("x")], frames: [SampleGIF.control, SampleGIF.frame()]
            ).bytes,
            SampleWebP.file(SampleWebP.extended(0x3E, 6, 4), SampleWebP.chunk("ICCP", [1, 2]), SampleWebP.lossy(6, 4)),
        ]
        var accepted = 0
        for _ in 0..<4000 {
            var file = samples[Int.random(in: 0..<samples.count, using: &generator)]
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                file[Int.random(in: 0..<file.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            guard let image = try? CleanImage(cleaning: file) else { continue }
            accepted += 1
            #expect(image.bytes.count <= file.count)
            #expect(try CleanImage(cleaning: image.bytes) == image)
        }
        #expect(accepted > 100)
    }
}
