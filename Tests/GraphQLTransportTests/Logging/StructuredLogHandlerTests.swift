import GraphQL
import GraphQLTransport
import Logging
import Testing

struct StructuredLogHandlerTests {
    private func line(_ format: StructuredLogHandler.Format, _ message: String, _ metadata: Logger.Metadata) -> String {
        let lines = LogLines()
        let logger = Logger(label: "a") {
            StructuredLogHandler(label: $0, format: format, level: .debug, write: lines.append)
        }
        logger.info("\(message)", metadata: metadata)
        logger.trace("not told")
        return lines.all.joined()
    }

    @Test func writesJSON() throws {
        let line = line(
            .json, "said \"hi\"", ["n": .stringConvertible(7), "list": ["a", "b"], "text": "x\ny"])
        let json = try parseJSON(Array(line.utf8))
        #expect(json["message"] == .string("said \"hi\""))
        #expect(json["level"] == .string("info"))
        #expect(json["n"] == .int(7))
        #expect(json["list"] == .list([.string("a"), .string("b")]))
        #expect(json["text"] == .string("x\ny"))
        #expect(json["time"].text?.hasSuffix("Z") == true)
    }

    @Test func writesText() {
        let line = line(.text, "request", ["path": "/a b", "status": .stringConvertible(200)])
        #expect(line.hasSuffix("Z info request path=\"/a b\" status=200\n"))
    }

    @Test(arguments: StructuredLogHandler.Format.allCases)
    func letsNobodyForgeALine(_ format: StructuredLogHandler.Format) {
        let line = line(format, "a\r\nb", ["x": "1\n2026 info forged\u{1B}[2J\u{2028}"])
        #expect(line.utf8.count { $0 == UInt8(ascii: "\n") } == 1)
        #expect(!line.unicodeScalars.contains("\u{1B}"))
        #expect(!line.unicodeScalars.contains("\u{2028}"))
    }
}
