import Testing

@testable import tertulia

@Suite struct PostmasterTests {
    @Test func aReadyOne() throws {
        let postmaster = try #require(
            Postmaster(pidFile: "4711\n/data\n1767225600\n5432\n/run/socket\n\n  1234  5\nready   \n"))
        #expect(postmaster.process == 4711)
        #expect(postmaster.port == 5432)
        #expect(postmaster.socketDirectory == "/run/socket")
        #expect(postmaster.isReady)
    }

    @Test func oneThatIsStarting() {
        #expect(Postmaster(pidFile: "4711\n/data\n1\n5432\n/run\n\n1 2\nstarting\n")?.isReady == false)
    }

    @Test(arguments: ["", "4711\n", "4711\n/data\n1\n", "-1\n/data\n1\n5432\n/run\n", "x\n/data\n1\n5432\n/run\n"])
    func oneThatIsNotWrittenYet(_ text: String) { #expect(Postmaster(pidFile: text) == nil) }
}
