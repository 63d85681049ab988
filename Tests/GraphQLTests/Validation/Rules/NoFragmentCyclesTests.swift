import Testing

@testable import GraphQL

@Suite struct NoFragmentCyclesTests {
    @Test func spreadingOneTwiceIsNoCycle() throws {
        let document =
            "{ dog { ...A ...B } } fragment A on Dog { ...B ...C } fragment B on Dog { ...C } "
            + "fragment C on Dog { name }"
        #expect(try errors(NoFragmentCycles(), document) == [])
    }

    @Test func cycles() throws {
        let document = """
            { dog { ...nameFragment } }
            fragment nameFragment on Dog { name ...barkVolumeFragment }
            fragment barkVolumeFragment on Dog { barkVolume ...nameFragment }
            """
        #expect(
            try errors(NoFragmentCycles(), document) == [
                "Cannot spread fragment \"nameFragment\" within itself via \"barkVolumeFragment\". (2:37, 3:49)"
            ])
    }

    @Test func cyclesThroughFields() throws {
        let document = """
            { dog { ...dogFragment } }
            fragment dogFragment on Dog { name owner { ...ownerFragment } }
            fragment ownerFragment on Human { name pets { ...dogFragment } }
            """
        #expect(
            try errors(NoFragmentCycles(), document) == [
                "Cannot spread fragment \"dogFragment\" within itself via \"ownerFragment\". (2:44, 3:47)"
            ])
    }

    @Test func itself() throws {
        #expect(
            try errors(NoFragmentCycles(), "fragment A on Dog { ...A ...A }") == [
                "Cannot spread fragment \"A\" within itself. (1:21)",
                "Cannot spread fragment \"A\" within itself. (1:26)",
            ])
    }
}
