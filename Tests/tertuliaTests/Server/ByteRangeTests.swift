import Testing

@testable import tertulia

@Suite struct ByteRangeTests {
    @Test(
        arguments: [
            ("bytes=0-0", 0...0), ("bytes=0-9", 0...9), ("bytes=3-", 3...9), ("bytes=3-99", 3...9), ("bytes=-4", 6...9),
            ("bytes=-99", 0...9), ("Bytes= 1 - 2 ", 1...2), ("bytes=9-99999999999999999999999", 9...9),
            ("bytes=-99999999999999999999999", 0...9),
        ] as [(String, ClosedRange<Int>)]) func oneRange(_ header: String, _ range: ClosedRange<Int>)
    {
        #expect(ByteRange(header, size: 10) == .part(range))
    }

    @Test(arguments: ["bytes=10-", "bytes=10-12", "bytes=-0", "bytes=99999999999999999999999-"])
    func beyondTheEnd(_ header: String) { #expect(ByteRange(header, size: 10) == .unsatisfiable) }

    /// RFC 9110, 14.2: what a server does not understand it ignores.
    @Test(arguments: [
        nil, "", "bytes", "bytes=", "bytes=-", "bytes=2-1", "bytes=a-b", "bytes=0-1,3-4", "bytes=+1-2", "lines=0-1",
        "bytes=0--1", "bytes=1",
    ]) func everythingElseIsIgnored(_ header: String?) { #expect(ByteRange(header, size: 10) == .whole) }

    @Test func ofNothingThereIsNoPart() {
        #expect(ByteRange("bytes=0-0", size: 0) == .unsatisfiable)
        #expect(ByteRange("bytes=-1", size: 0) == .unsatisfiable)
    }
}
