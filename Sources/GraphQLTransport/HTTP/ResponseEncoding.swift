import NIOCore
import NIOHTTP1

/// RFC 9112, 4 Status Line and 5 Field Syntax
extension ByteBuffer {
    mutating func writeStatusLine(_ status: HTTPResponseStatus) {
        if status == .ok {
            writeStaticString("HTTP/1.1 200 OK\r\n")
        } else {
            writeString("HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n")
        }
    }

    /// The value's control characters become spaces, so that no value can begin a field of its own.
    mutating func writeField(_ name: String, _ value: String) {
        writeString(name)
        writeStaticString(": ")
        let start = readableBytes
        writeString(value)
        withUnsafeMutableReadableBytes { bytes in
            for index in start..<bytes.count where bytes[index] < 0x20 || bytes[index] == 0x7F {
                bytes[index] = UInt8(ascii: " ")
            }
        }
        writeStaticString("\r\n")
    }

    mutating func writeDecimal(_ number: Int) {
        var digits: (UInt64, UInt64, UInt64) = (0, 0, 0)
        var rest = number
        var start = 24
        withUnsafeMutableBytes(of: &digits) { bytes in
            repeat {
                start -= 1
                bytes[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            _ = writeBytes(UnsafeRawBufferPointer(rebasing: bytes[start...]))
        }
    }
}
