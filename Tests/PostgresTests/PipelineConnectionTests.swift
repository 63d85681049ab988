import NIOCore
import Testing

@testable import Postgres

/// What a session writes, and what it makes of the server's bytes however they are cut.
@Suite struct PipelineConnectionTests {
    private static func message(_ kind: Unicode.Scalar, _ body: [UInt8] = []) -> [UInt8] {
        [UInt8(ascii: kind), 0, 0, 0, UInt8(4 + body.count)] + body
    }

    private static func row(_ value: UInt8) -> [UInt8] { message("D", [0, 1, 0, 0, 0, 1, value]) }
    // A text is the same statement only where the same code builds it.
    private static let a: SQL = "select a"
    private static let b: SQL = "select b"
    private static let selected = message("C", Array("SELECT 1\0".utf8))
    private static let description = message("T", [0, 1, 97, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 17, 0, 1, 0, 0, 0, 0, 0, 0])
    private static let prepared = message("1") + message("t", [0, 0]) + description
    private static let ready = message("Z", [0x49])

    private static func request(_ sql: SQL, settings: SQL? = nil) -> Request {
        Request(settings: settings, first: sql, rest: [], deadline: .at(1000))
    }

    /// The kinds of the messages to the server.
    private static func sent(_ connection: inout PipelineConnection) -> String {
        let bytes = Array(connection.outbound.bytes.readableBytesView)
        connection.outbound.removeAll()
        var kinds = ""
        var rest = bytes[...]
        while let kind = rest.first {
            kinds.unicodeScalars.append(Unicode.Scalar(kind))
            let length = rest.dropFirst().prefix(4).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(1 + length)
        }
        return kinds
    }

    /// Hands over the bytes in pieces of `size`. nil where the session cannot go on.
    private static func receive(
        _ bytes: [UInt8], by size: Int, _ connection: inout PipelineConnection
    ) -> [Request]? {
        var completed: [Request] = []
        var waiting: [UInt8] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            waiting += rest.prefix(size)
            rest = rest.dropFirst(size)
            let count = waiting.withUnsafeBytes { connection.receive($0, now: .at(1), completed: &completed) }
            guard let count else { return nil }
            waiting.removeFirst(count)
        }
        return completed
    }

    @Test func statementIsPreparedAndDescribedOnce() {
        var connection = PipelineConnection(now: .at(0))
        connection.send(Self.request(Self.a, settings: Self.b), now: .at(0))
        #expect(Self.sent(&connection) == "PDPDBEBES")
        connection.send(Self.request(Self.a, settings: Self.b), now: .at(0))
        #expect(Self.sent(&connection) == "BEBES")
    }

    @Test(arguments: [1, 2, 3, 7, 64, 4096]) func answersAreTheSameHoweverTheyAreCut(size: Int) {
        var connection = PipelineConnection(now: .at(0))
        let requests = (0..<3).map { _ in Self.request(Self.a, settings: Self.b) }
        for request in requests { connection.send(request, now: .at(0)) }
        var bytes = Self.prepared + Self.prepared
        for number in 0..<3 as Range<UInt8> {
            bytes += Self.message("2") + Self.row(99) + Self.selected
            bytes += Self.message("N", [0]) + Self.message("2") + Self.row(number) + Self.selected + Self.ready
        }
        let completed = Self.receive(bytes, by: size, &connection)
        #expect(completed?.count == 3 && connection.isIdle)
        for (number, request) in requests.enumerated() {
            #expect(request.firstResult.map { Array($0.value(0, 0)) } == [UInt8(number)])
            #expect(request.firstResult?.types == [17] && request.results.isEmpty && request.error == nil)
        }
    }

    @Test func errorOfOneSegmentSparesTheNext() {
        var connection = PipelineConnection(now: .at(0))
        let requests = [Self.request(Self.a), Self.request(Self.b)]
        for request in requests { connection.send(request, now: .at(0)) }
        let error = Self.message("E", Array("C42P01\0Mno\0\0".utf8))
        let bytes = error + Self.ready + Self.prepared + Self.message("2") + Self.row(7) + Self.selected + Self.ready
        let completed = Self.receive(bytes, by: 5, &connection)
        #expect(completed?.count == 2)
        #expect(requests[0].error?.sqlstate == "42P01" && requests[0].firstResult == nil)
        #expect(requests[1].error == nil && requests[1].firstResult?.rows == 1)
        // What could not be prepared is prepared again.
        _ = Self.sent(&connection)
        connection.send(Self.request(Self.a), now: .at(0))
        #expect(Self.sent(&connection) == "PDBES")
    }

    @Test func rowsBeforeAnErrorAreDropped() {
        var connection = PipelineConnection(now: .at(0))
        let requests = [Self.request(Self.a), Self.request(Self.a)]
        for request in requests { connection.send(request, now: .at(0)) }
        let error = Self.message("E", Array("C22012\0Mzero\0\0".utf8))
        let bytes =
            Self.prepared + Self.message("2") + Self.row(1) + error + Self.ready + Self.message("2") + Self.row(2)
            + Self.selected + Self.ready
        #expect(Self.receive(bytes, by: 4096, &connection)?.count == 2)
        #expect(requests[1].firstResult?.rows == 1)
        #expect(requests[1].firstResult.map { Array($0.value(0, 0)) } == [2])
    }

    @Test func sessionInATransactionIsNotIdle() {
        var connection = PipelineConnection(now: .at(0))
        #expect(connection.isIdle)
        connection.send(Self.request("begin"), now: .at(0))
        #expect(!connection.isIdle)
        let begun = Self.message("C", Array("BEGIN\0".utf8)) + Self.message("Z", [0x54])
        _ = Self.receive(
            Self.message("1") + Self.message("t", [0, 0]) + Self.message("n") + Self.message("2") + begun, by: 4096,
            &connection)
        #expect(!connection.hasInFlight && !connection.isIdle)
    }

    @Test func lostPlanIsPreparedAgainAndSentAgainOnce() {
        var connection = PipelineConnection(now: .at(0))
        let request = Self.request(Self.a)
        connection.send(request, now: .at(0))
        #expect(Self.sent(&connection) == "PDBES")
        let lost = Self.message("E", Array("C26000\0Mgone\0\0".utf8)) + Self.ready
        #expect(Self.receive(Self.prepared + lost, by: 4096, &connection)?.count == 0)
        #expect(Self.sent(&connection) == "PDBES")
        #expect(Self.receive(Self.prepared + lost, by: 4096, &connection)?.count == 1)
        #expect(request.error?.sqlstate == "26000")
    }

    @Test func messagesThatAPipelineNeverGetsEndTheSession() {
        for kind in ["G", "H", "W", "d", "s"] as [Unicode.Scalar] {
            var connection = PipelineConnection(now: .at(0))
            connection.send(Self.request("copy t from stdin"), now: .at(0))
            #expect(Self.receive(Self.message(kind, [0, 0, 0]), by: 4096, &connection) == nil)
        }
    }
}
