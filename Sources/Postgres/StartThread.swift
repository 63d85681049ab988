import CEpoll
import Glibc

/// Starts a detached thread; `name` has at most 15 bytes.
func startThread(named name: StaticString, _ body: @escaping @Sendable () -> Void) {
    final class Start {
        let name: StaticString
        let body: @Sendable () -> Void
        init(_ name: StaticString, _ body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }
    var thread = pthread_t()
    let start = Unmanaged.passRetained(Start(name, body))
    let failure = pthread_create(
        &thread, nil,
        { argument in
            guard let argument else { return nil }
            let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
            start.name.withUTF8Buffer { bytes in
                withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 1) { text in
                    for (offset, byte) in bytes.enumerated() { text[offset] = CChar(bitPattern: byte) }
                    text[bytes.count] = 0
                    if let address = text.baseAddress { cepoll_name_current_thread(address) }
                }
            }
            start.body()
            return nil
        }, start.toOpaque())
    precondition(failure == 0, "pthread_create")
    pthread_detach(thread)
}
