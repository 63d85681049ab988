import Testing

@testable import tertulia

@Suite struct ClusterSettingsTests {
    @Test(arguments: [(512, 128), (4096, 512), (65_536, 1024)])
    func sharedBuffersAreAnEighthWithinBounds(_ mebibytes: Int, _ expected: Int) {
        let text = ClusterSettings(socketDirectory: "/run/s", memory: mebibytes << 20).text
        #expect(text.contains("shared_buffers = '\(expected)MB'"))
    }

    @Test func onlyThePrivateSocketListens() {
        let text = ClusterSettings(socketDirectory: "/run/s").text
        #expect(text.contains("listen_addresses = ''\n"))
        #expect(text.contains("unix_socket_directories = '/run/s'\n"))
    }
}
