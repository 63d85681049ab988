import GraphQLTransport
import Testing

@testable import tertulia

@Suite struct AddressSpaceTests {
    @Test func whatIsEnoughIsTaken() throws {
        try AddressSpace.check(nil, AddressSpace.needed)
        try AddressSpace.check(AddressSpace.needed, AddressSpace.needed)
        #expect(throws: CommandFailure.self) { try AddressSpace.check(AddressSpace.needed - 1, AddressSpace.needed) }
    }
}

@Suite struct ProcessMetricsTests {
    @Test func aScrapeTellsOfTheProcess() {
        let registry = MetricRegistry()
        registry.observeProcess()
        let figures = Dictionary(
            registry.text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
                let words = line.split(separator: " ")
                return (String(words[0]), Double(words[1]) ?? .nan)
            }, uniquingKeysWith: { first, _ in first })
        #expect(figures["tertulia_build_info{version=\"\(Tertulia.version)\"}"] == 1)
        for name in [
            "cpu_seconds_total", "resident_memory_bytes", "virtual_memory_bytes", "threads", "open_fds", "max_fds",
            "start_timestamp_seconds",
        ] {
            #expect(figures["tertulia_process_\(name)"] ?? 0 > 0, "\(name)")
        }
    }
}
