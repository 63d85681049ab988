import FoundationEssentials
import SystemPackage
import Testing

/// docker-compose.yml, line by line.
@Suite struct ComposeFileTests {
    private let lines: [Substring]

    init() throws {
        let path = FilePath(#filePath).removingLastComponent().appending("../../../docker-compose.yml")
        let file = try #require(FileManager.default.contents(atPath: path.lexicallyNormalized().string))
        lines = String(decoding: file, as: UTF8.self).split(separator: "\n")
    }

    /// Another machine reaches neither the API, which has no TLS here, nor PostgreSQL.
    @Test func portsAreOpenOnThisMachineAlone() throws {
        let ports = lines.compactMap { $0.wholeMatch(of: #/ +- "(.+:\d+)"/#)?.1 }
        #expect(ports.count == 2)
        for port in ports { #expect(port.hasPrefix("127.0.0.1:")) }
    }

    @Test func passwordsHaveNoDefault() {
        let uses = lines.flatMap { $0.matches(of: /\$\{\w*PASSWORD\w*(\W*)/).map { $0.1 } }
        #expect(Set(uses) == [":?"])
    }

    @Test func theServerRunsInProduction() throws {
        let server = try #require(lines.firstIndex(of: "  server:"))
        let service = lines[(server + 1)...].prefix { $0.hasPrefix("    ") }
        #expect(service.contains(#"      PRODUCTION: "true""#))
    }
}
