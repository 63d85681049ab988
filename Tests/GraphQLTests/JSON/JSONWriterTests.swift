import TestSupport
import Testing

@testable import GraphQL

@Suite struct JSONWriterTests {
    private func written(_ write: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        write(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test(arguments: [
        (0, "0"), (7, "7"), (-9, "-9"), (10, "10"), (-1234, "-1234"), (Int.max, "9223372036854775807"),
        (Int.min, "-9223372036854775808"),
    ])
    func integers(value: Int, text: String) {
        #expect(written { $0.write(value) } == text)
    }

    @Test(arguments: [
        (0.0, "0"), (-0.0, "-0.0"), (1.0, "1"), (-3.0, "-3"), (0.1, "0.1"), (1.5e300, "1.5e+300"),
        (Double.leastNonzeroMagnitude, "5e-324"), (9_007_199_254_740_991, "9007199254740991"), (1e22, "1e+22"),
        (.infinity, "null"),
        (-.infinity, "null"), (.nan, "null"),
    ])
    func doubles(value: Double, text: String) {
        #expect(written { $0.write(value) } == text)
    }

    @Test func decimalFractionsAreWrittenAsTheShortestText() {
        var generator = SeededGenerator(seed: 7)
        let scales: [Double] = [10, 100, 1000, 10_000]
        for count in 0..<20_000 {
            let digits = Int.random(in: -9_999_999_999_999...9_999_999_999_999, using: &generator)
            let value = Double(digits >> Int.random(in: 0..<40, using: &generator)) / scales[count % scales.count]
            let shortest = value.description
            #expect(written { $0.write(value) } == (shortest.hasSuffix(".0") ? String(shortest.dropLast(2)) : shortest))
        }
    }

    @Test func strings() {
        #expect(written { $0.write("") } == "\"\"")
        #expect(
            written { $0.write("a\"b\\c\n\r\t\u{8}\u{C}\u{0}\u{1F}\u{7F}") } == #""a\"b\\c\n\r\t\b\f\u0000\u001f"#
                + "\u{7F}\"")
        #expect(written { $0.write("ä😀 and more than eight bytes") } == "\"ä😀 and more than eight bytes\"")
    }

    @Test func everyByteIsEscapedWhereverItStands() throws {
        for byte in UInt8(0)..<0x80 {
            for position in 0..<17 {
                var bytes = Array(repeating: UInt8(ascii: "x"), count: 17)
                bytes[position] = byte
                let string = String(decoding: bytes, as: UTF8.self)
                var writer = JSONWriter()
                writer.write(string)
                #expect(try parseJSON(writer.bytes) == .string(string))
                #expect(writer.count == 19 || byte < 0x20 || byte == 0x22 || byte == 0x5C)
            }
        }
    }

    @Test func textAndRollback() {
        let text = written { writer in
            writer.append("{\"a\":")
            let start = writer.count
            writer.write(1)
            writer.truncate(to: start)
            writer.writeNull()
            writer.append(Array(",\"b\":".utf8))
            writer.write(true)
            writer.append(UInt8(ascii: "}"))
        }
        #expect(text == #"{"a":null,"b":true}"#)
    }

    @Test func inputValuesReadBack() throws {
        let text = #"{"a":[1,-2.5,"x\ny",null,true,[],{}],"b":{"c":false}}"#
        let value = try parseJSON(Array(text.utf8))
        #expect(written { $0.write(value) } == text)
        #expect(written { $0.write(.enumeration("RED")) } == "\"RED\"")
    }
}
