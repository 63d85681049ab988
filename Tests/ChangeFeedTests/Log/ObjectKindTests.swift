import ChangeFeed
import Testing

@Suite struct ObjectKindTests {
    @Test(arguments: ["", "x", "thought", "conversation", "exactly 16 bytes"])
    func theNameIsKept(_ name: String) {
        #expect(ObjectKind(rawValue: name).rawValue == name)
        #expect(ObjectKind(rawValue: name) != ObjectKind(rawValue: "other"))
    }
}
