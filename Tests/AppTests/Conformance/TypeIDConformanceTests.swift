import GraphQL
import Testing

@testable import App

/// The vectors of the TypeID specification. Its prefixes are none of ours, and ours is a closed list: what is valid
/// there is so here with a prefix of ours.
@Suite(.enabled(if: RecordedCases.exist("typeid-valid.json")))
struct TypeIDConformanceTests {
    @Test func everyValidSuffixIsTheUUIDItSays() throws {
        let vectors = try RecordedCases.read("typeid-valid.json")
        for vector in vectors {
            let typeID: String = try vector.decode("typeid")
            let uuid: String = try vector.decode("uuid")
            #expect(TypeID(typeID) == nil, "\(typeID) has no prefix of ours")
            let ours = "user_" + typeID.suffix(26)
            let id = try #require(TypeID(ours), "\(typeID)")
            #expect(Self.notation(id) == uuid)
            #expect(id.description == ours)
        }
        print("typeid-valid.json: \(vectors.count) / \(vectors.count)")
    }

    @Test func whatIsInvalidIsRefused() throws {
        let vectors = try RecordedCases.read("typeid-invalid.json")
        for vector in vectors {
            let typeID: String = try vector.decode("typeid")
            let name: String = try vector.decode("name")
            #expect(TypeID(typeID) == nil, "\(name)")
            // The fault is in the prefix, or it is one with a prefix of ours too.
            let ours = typeID.replacing("prefix_", with: "user_", maxReplacements: 1)
            #expect(TypeID(ours) == nil, "\(name)")
        }
        print("typeid-invalid.json: \(vectors.count) / \(vectors.count)")
    }

    private static func notation(_ id: TypeID) -> String {
        func hex(_ word: UInt64) -> String {
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        let digits = Array(hex(id.uuid.high) + hex(id.uuid.low))
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }
}
