import FoundationEssentials
import Logging
import Synchronization
import Testing

@testable import tertulia

@Suite struct JSONLogHandlerTests {
    private final class Lines: Sendable {
        let bytes = Mutex<[UInt8]>([])
        var text: String { String(decoding: bytes.withLock { $0 }, as: UTF8.self) }
    }

    private func logger(_ lines: Lines, level: Logger.Level = .info) -> Logger {
        Logger(label: "test") { _ in
            JSONLogHandler(
                level: level, write: { line in lines.bytes.withLock { $0 += line } },
                now: { Date(timeIntervalSince1970: 1_767_225_600.25) })
        }
    }

    @Test func oneObjectALine() {
        let lines = Lines()
        var logger = logger(lines)
        logger[metadataKey: "b"] = "2"
        logger.notice("ready", metadata: ["a": "1", "list": ["x", ["k": "v"]]])
        #expect(
            lines.text == """
                {"time":"2026-01-01T00:00:00.250Z","level":"notice","message":"ready","a":"1","b":"2","list":["x",{"k":"v"}]}

                """)
    }

    @Test func whatJSONForbidsIsEscaped() {
        let lines = Lines()
        logger(lines).info("a\"b\\c\nd\u{1}é")
        #expect(lines.text.contains(#""message":"a\"b\\c\nd\u0001é""#))
        #expect(lines.text.utf8.count { $0 == UInt8(ascii: "\n") } == 1)
    }

    @Test func theLevelHolds() {
        let lines = Lines()
        logger(lines, level: .error).warning("quiet")
        #expect(lines.text.isEmpty)
    }
}
