import Cryptography
import Testing

@Suite struct HexTests {
    @Test func roundTrip() {
        let bytes = Array(UInt8.min...UInt8.max)
        #expect(Hex.encode([0x00, 0x7f, 0xff]) == "007fff")
        #expect(Hex.decode(Hex.encode(bytes)) == bytes)
        #expect(Hex.decode("AbCd") == [0xab, 0xcd])
    }

    @Test(arguments: ["0", "0g", "0x", " 00", "\u{FF10}0"]) func refused(text: String) {
        #expect(Hex.decode(text) == nil)
    }
}
