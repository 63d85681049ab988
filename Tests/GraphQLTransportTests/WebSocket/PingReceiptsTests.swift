import GraphQL
import Synchronization
import Testing

@testable import GraphQLTransport

@Suite struct PingReceiptsTests {
    /// What the pongs of a transcript prove.
    private struct Transcript {
        var receipts = PingReceipts()
        private(set) var proven: [String] = []

        mutating func send(_ name: String) {
            let log = log
            receipts.add { log.withLock { $0.append(name) } }
        }

        mutating func ping() -> Int? {
            if case .int(let number)? = receipts.ping(nil)?["number"] { number } else { nil }
        }

        mutating func pong(_ number: Int? = nil) {
            let payload = number.map { InputObject([(name: "number", value: .int($0))]) }
            for onReceipt in receipts.pong(payload) { onReceipt() }
            proven = log.withLock { $0 }
        }

        private let log = Log()
    }

    private final class Log: Sendable {
        private let names = Mutex<[String]>([])

        func withLock<Result: Sendable>(_ body: (inout [String]) -> Result) -> Result { names.withLock { body(&$0) } }
    }

    @Test func aPongProvesWhatWasSentBeforeItsPing() {
        var transcript = Transcript()
        transcript.send("a")
        #expect(transcript.receipts.isPingDue)
        let first = transcript.ping()
        #expect(!transcript.receipts.isPingDue)
        transcript.send("b")
        transcript.pong(first)
        #expect(transcript.proven == ["a"])
        transcript.pong(first)
        #expect(transcript.proven == ["a"])
        transcript.pong(transcript.ping())
        #expect(transcript.proven == ["a", "b"])
    }

    @Test func aLaterPongProvesAllBefore() {
        var transcript = Transcript()
        transcript.send("a")
        _ = transcript.ping()
        transcript.send("b")
        transcript.pong(transcript.ping())
        #expect(transcript.proven == ["a", "b"])
    }

    /// As of clients that answer without a payload.
    @Test func bareTheyAnswerInOrder() {
        var transcript = Transcript()
        // For the socket's sake, before anything was sent.
        #expect(transcript.ping() == nil)
        transcript.send("a")
        _ = transcript.ping()
        transcript.pong()
        #expect(transcript.proven == [])
        transcript.pong()
        #expect(transcript.proven == ["a"])
        transcript.pong()
        #expect(transcript.proven == ["a"])
    }

    @Test func aPongThatNobodyAskedForProvesNothing() {
        var transcript = Transcript()
        transcript.send("a")
        transcript.pong()
        transcript.pong(1)
        transcript.pong(7)
        #expect(transcript.proven == [])
        transcript.pong(transcript.ping())
        transcript.send("b")
        let number = transcript.ping()
        // A sign of life of a client that repeats numbers.
        transcript.pong()
        #expect(transcript.proven == ["a"])
        transcript.pong(number)
        #expect(transcript.proven == ["a", "b"])
    }

    @Test func aClientThatNeverAnswersCostsNothing() {
        var transcript = Transcript()
        for number in 0..<1_000 {
            transcript.send("\(number)")
            _ = transcript.ping()
        }
        for _ in 0..<1_000 { transcript.pong() }
        #expect(transcript.proven == [])
        #expect(!transcript.receipts.isPingDue)
    }
}
