import Foundation
import TestSupport

extension TestServer {
    /// How many file descriptors both ends of the server's connections take, the listening one aside. Other tests of
    /// this process have their own.
    /// proc(5), /proc/net/tcp
    var openSockets: Int {
        get throws {
            let table = try String(contentsOfFile: "/proc/self/net/tcp", encoding: .utf8)
            return table.split(separator: "\n").dropFirst().count { line in
                let columns = line.split(separator: " ")
                let ports = columns[1...2].map { Int($0.split(separator: ":")[1], radix: 16) }
                let isListening = columns[3] == "0A"
                // A connection in TIME_WAIT belongs to the kernel alone: it has no inode.
                return ports.contains(port) && !isListening && columns[9] != "0"
            }
        }
    }

    /// Waits until all connections are gone.
    func hasNoOpenSockets() async throws {
        try await eventually("the end of the last connection") { try openSockets == 0 }
    }
}
