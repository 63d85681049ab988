import Postgres
import Testing

@Suite struct UUIDTests {
    @Test func textRoundTrip() {
        let text = "01890a5d-ac96-774b-bcce-b302099a8057"
        #expect(UUID(text)?.description == text)
        #expect(UUID(text.uppercased())?.description == text)
        #expect(UUID(text)?.version == 7)
    }

    @Test(arguments: [
        "", "01890a5d-ac96-774b-bcce-b302099a805", "01890a5d-ac96-774b-bcce-b302099a80570",
        "01890a5dxac96-774b-bcce-b302099a8057", "01890a5d-ac96-774b-bcce-b302099a805g",
        "{1890a5d-ac96-774b-bcce-b302099a805}",
    ])
    func malformedTextIsRefused(text: String) { #expect(UUID(text) == nil) }

    /// RFC 9562, appendix A.6.
    @Test func version7() {
        let uuid = UUID.v7(now: 0x017F_22E2_79B0, random: (0xCC3, 0x18C4_DC0C_0C07_398F))
        #expect(uuid.description == "017f22e2-79b0-7cc3-98c4-dc0c0c07398f")
        #expect(UUID.v7(now: 1, random: (.max, .max)) < UUID.v7(now: 2, random: (0, 0)))
        let all = UUID.v7(now: 0, random: (.max, .max))
        #expect(all.description == "00000000-0000-7fff-bfff-ffffffffffff")
    }

    @Test func ordersAsBytes() {
        let uuids = [UUID(high: 1, low: 0), UUID(high: 0, low: .max), UUID(high: .max, low: 0), UUID(high: 0, low: 0)]
        #expect(uuids.sorted().map(\.description) == uuids.map(\.description).sorted())
    }
}
