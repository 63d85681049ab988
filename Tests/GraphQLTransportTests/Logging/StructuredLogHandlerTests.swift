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

    @Test(arguments: StructuredLogHandler.Format.allCases)
    func escapesControlCharactersBeyondASCII(_ format: StructuredLogHandler.Format) {
        let controls: [Unicode.Scalar] = ["\u{80}", "\u{85}", "\u{9B}", "\u{9F}", "\u{2028}", "\u{2029}"]
        for control in controls {
            let line = line(format, "a", ["x": "é\(control)2026"])
            #expect(!line.unicodeScalars.contains(control))
            #expect(line.contains("é\\u"))
        }
    }

    @Test(arguments: StructuredLogHandler.Format.allCases)
    func writesTheErrorOfAnEntry(_ format: StructuredLogHandler.Format) {
        let lines = LogLines()
        let handler = StructuredLogHandler(label: "a", format: format, write: lines.append)
        func log(_ metadata: Logger.Metadata?) {
            handler.log(
                event: LogEvent(
                    level: .error, message: "failed", error: Broken(), metadata: metadata, source: nil, file: "",
                    function: "", line: 1))
        }
        log(nil)
        log(["error": "the caller's"])
        #expect(lines.all.count == 2)
        #expect(lines.all[0].contains("password=hunter2"))
        #expect(lines.all[1].contains("the caller's") && !lines.all[1].contains("hunter2"))
    }
}
