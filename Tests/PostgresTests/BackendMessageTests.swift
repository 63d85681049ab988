import Testing

@testable import Postgres

/// What a server may send, byte by byte.
@Suite struct BackendMessageTests {
    private static func first(_ bytes: [UInt8]) -> String {
        bytes.withUnsafeBytes {
            switch BackendMessage.first(in: $0) {
            case .message(let message): "\(message.kind.map { "\($0)" } ?? "unknown") of \(message.size)"
            case .incomplete: "incomplete"
            case .malformed: "malformed"
            }
        }
    }

    @Test func messageIsTakenOnceItIsWhole() {
        let bytes: [UInt8] = [0x5A, 0, 0, 0, 5, 0x49]
        for count in 0..<6 { #expect(Self.first(Array(bytes.prefix(count))) == "incomplete") }
        #expect(Self.first(bytes) == "readyForQuery of 6")
        #expect(Self.first(bytes + [0x44]) == "readyForQuery of 6")
    }

    @Test func impossibleLengthIsMalformed() {
        #expect(Self.first([0x44, 0, 0, 0, 3, 0]) == "malformed")
        #expect(Self.first([0x44, 0xFF, 0xFF, 0xFF, 0xFF, 0]) == "malformed")
        #expect(Self.first([0x44, 0x40, 0, 0, 0, 0]) == "malformed")
    }

    @Test func messagesOfCOPYAreUnknown() {
        #expect(Self.first([0x47, 0, 0, 0, 4]) == "unknown of 5")
    }

    private static func affected(_ tag: String) -> Int {
        let body = Array(tag.utf8) + [0]
        return body.withUnsafeBytes { BackendMessage(kind: .commandComplete, body: $0, size: body.count + 5).affected }
    }

    @Test func tagEndsWithTheNumberOfRows() {
        #expect(Self.affected("INSERT 0 12") == 12 && Self.affected("SELECT 1000000") == 1_000_000)
        #expect(Self.affected("UPDATE 0") == 0 && Self.affected("BEGIN") == 0 && Self.affected("") == 0)
        #expect(Self.affected("CREATE TABLE7") == 0)
        #expect(Self.affected("DELETE 99999999999999999999999") == 0)
    }

    @Test func rowDescriptionNamesTheTypes() {
        func types(_ body: [UInt8]) -> [UInt32]? {
            body.withUnsafeBytes { BackendMessage(kind: .rowDescription, body: $0, size: body.count + 5).columnTypes }
        }
        let column: [UInt8] = Array("name".utf8) + [0, 0, 0, 0, 1, 0, 2, 0, 0, 0x0B, 0x86, 0, 16, 0, 0, 0, 0, 0, 1]
        #expect(types([0, 2] + column + column) == [2950, 2950])
        #expect(types([0, 0]) == [] && types([0]) == nil)
        #expect(types([0, 2] + column) == nil)
        for count in 1..<column.count { #expect(types([0, 1] + column.prefix(count)) == nil) }
    }

    @Test func errorHasItsFields() {
        let body = Array("SERROR\0C23505\0Mtaken\0nusers_key\0\0".utf8)
        let error = body.withUnsafeBytes {
            ServerError(BackendMessage(kind: .errorResponse, body: $0, size: body.count + 5))
        }
        #expect(error.sqlstate == "23505" && error.message == "taken" && error.constraint == "users_key")
        #expect(error.detail == nil && error.table == nil)
        let broken = Array("SERROR".utf8)
        let other = broken.withUnsafeBytes {
            ServerError(BackendMessage(kind: .errorResponse, body: $0, size: broken.count + 5))
        }
        #expect(other.message == "")
    }
}
