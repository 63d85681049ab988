import Glibc

/// A file that is read from its beginning to its end.
final class InputFile {
    let path: String
    private let descriptor: Int32

    init(_ path: String) throws(ImportFailure) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { throw ImportFailure("\(path) cannot be opened: \(String(cString: strerror(errno))).") }
    }

    deinit { close(descriptor) }

    /// The number of bytes that were read; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ImportFailure) -> Int {
        while true {
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            if errno != EINTR { throw ImportFailure("\(path) cannot be read: \(String(cString: strerror(errno))).") }
        }
    }

    /// A whole file of at most `limit` bytes; nil for a longer one.
    static func contents(of path: String, limit: Int) throws(ImportFailure) -> [UInt8]? {
        let file = try InputFile(path)
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        var count = 0
        while count < bytes.count {
            let start = count
            let read = bytes.withUnsafeMutableBytes { buffer in
                Result { () throws(ImportFailure) in
                    try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[start...]))
                }
            }
            let size = try read.get()
            if size == 0 { break }
            count += size
        }
        return count > limit ? nil : Array(bytes[..<count])
    }
}
