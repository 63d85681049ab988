import Dispatch
import Glibc
import Synchronization

/// A connection over loopback whose bytes are read on a thread of their own.
final class LoopbackSocket: Sendable {
    private struct State {
        var received: [UInt8] = []
        var hasEnded = false
    }

    /// MSG_NOSIGNAL: who writes to a connection that is gone is not ended for it.
    private static let withoutSignal: Int32 = 0x4000

    private let descriptor: Int32
    private let state = Mutex(State())

    /// - Parameter descriptor: connected; closed when nobody holds this any more.
    init(_ descriptor: Int32) { self.descriptor = descriptor }

    convenience init(port: Int) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = LoopbackSocket.address(port: UInt16(port))
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            close(descriptor)
            throw NotConnected()
        }
        self.init(descriptor)
    }

    deinit { close(descriptor) }

    struct NotConnected: Error {}

    static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Self.withoutSignal) }
            if count <= 0 { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads until the other side ends.
    /// - Parameter take: given all that was received and not taken yet; takes some of it, or nothing.
    func readInBackground(_ take: @escaping @Sendable (inout [UInt8]) -> Void = { _ in }) {
        DispatchQueue(label: "loopback socket").async { [self] in
            var buffer = [UInt8](repeating: 0, count: 16_384)
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                if count <= 0 { break }
                state.withLock { state in
                    state.received += buffer.prefix(count)
                    var waiting = -1
                    while waiting != state.received.count {
                        waiting = state.received.count
                        take(&state.received)
                    }
                }
            }
            state.withLock { $0.hasEnded = true }
        }
    }

    var text: String { state.withLock { String(decoding: $0.received, as: UTF8.self) } }
    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    func shutdown() { _ = Glibc.shutdown(descriptor, Int32(SHUT_RDWR)) }
}
