import Postgres
import Testing

@testable import App

@Suite struct TypeIDTests {
    @Test func writesWhatItReads() throws {
        let id = try #require(TypeID("thought_01k9x3c5e8f5vbm0y3h6q2r7zt"))
        #expect(id.kind == .thought)
        #expect(id.description == "thought_01k9x3c5e8f5vbm0y3h6q2r7zt")
    }

    @Test(arguments: [
        "", "thought", "thought_", "_01k9x3c5e8f5vbm0y3h6q2r7zt", "Thought_01k9x3c5e8f5vbm0y3h6q2r7zt",
        "thought_01K9X3C5E8F5VBM0Y3H6Q2R7ZT", "thought_81k9x3c5e8f5vbm0y3h6q2r7zt", "thought_01k9x3c5e8f5vbm0y3h6q2r7z",
        "thought_01k9x3c5e8f5vbm0y3h6q2r7zl", "thought-01k9x3c5e8f5vbm0y3h6q2r7zt", "other_01k9x3c5e8f5vbm0y3h6q2r7zt",
    ])
    func refuses(_ text: String) { #expect(TypeID(text) == nil) }

    @Test func coversAllBits() {
        let all = UUID(high: .max, low: .max)
        #expect(TypeID(.user, all).description == "user_7zzzzzzzzzzzzzzzzzzzzzzzzz")
        #expect(TypeID("user_7zzzzzzzzzzzzzzzzzzzzzzzzz")?.uuid == all)
    }
}
