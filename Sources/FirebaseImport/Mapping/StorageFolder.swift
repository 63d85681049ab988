import App
import Glibc

/// The files of Firebase Storage, as `gsutil -m cp -r gs://BUCKET .` copies them into a folder.
struct StorageFolder: Sendable {
    let path: String

    /// The path, below the folder, of the file that an app's address names. An app keeps the URL of a download, a
    /// `gs://` URL of the bucket, or the path itself. nil for another service's address, for a malformed one, and for
    /// a path that would leave the folder.
    static func file(of address: String) -> String? {
        let path: String?
        if address.hasPrefix("gs://") {
            path = address.dropFirst(5).firstIndex(of: "/").map { String(address[address.index(after: $0)...]) }
        } else if address.hasPrefix("https://storage.googleapis.com/") {
            let rest = address.dropFirst("https://storage.googleapis.com/".count)
            path = rest.firstIndex(of: "/").flatMap { decoded(rest[rest.index(after: $0)...].prefix { $0 != "?" }) }
        } else if address.hasPrefix("https://firebasestorage.") {
            path = objectName(address)
        } else if address.contains("://") {
            path = nil
        } else {
            path = address
        }
        guard let path, !path.isEmpty, !path.hasPrefix("/"), !path.utf8.contains(0), path.utf8.count <= 1024,
            !path.split(separator: "/").contains("..")
        else { return nil }
        return path
    }

    /// The path in the URL of a download: `https://firebasestorage.googleapis.com/v0/b/BUCKET/o/PATH?alt=media&token=…`
    private static func objectName(_ address: String) -> String? {
        let segments = address.prefix { $0 != "?" && $0 != "#" }.split(separator: "/", omittingEmptySubsequences: false)
        guard segments.count == 8, segments[3] == "v0", segments[4] == "b", segments[6] == "o" else { return nil }
        return decoded(segments[7])
    }

    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard rest.count >= 2, let high = Character(UnicodeScalar(rest.removeFirst())).hexDigitValue,
                    let low = Character(UnicodeScalar(rest.removeFirst())).hexDigitValue
                else { return nil }
                bytes.append(UInt8(high << 4 | low))
            } else {
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Reads, checks and cleans a picture.
    /// - Parameter file: as ``file(of:)`` returns it.
    func image(_ file: String) throws(WrittenText.Refusal) -> WrittenImage {
        let bytes: [UInt8]?
        do {
            bytes = try InputFile.contents(of: "\(path)/\(file)", limit: WrittenImage.maximumByteCount)
        } catch {
            throw WrittenText.Refusal(reason: "The Storage folder has no such file.")
        }
        guard let bytes else { throw WrittenImage.isTooLarge }
        return try WrittenImage(cleaning: bytes)
    }
}
