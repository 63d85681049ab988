/// The range of a representation that a Range header asks for.
/// Source: RFC 9110, 14.1.2 and 14.2
enum ByteRange: Equatable {
    /// The whole representation. The header is missing, malformed, in another unit than bytes, or has several ranges: a
    /// server may ignore such a header.
    case whole
    case part(ClosedRange<Int>)
    case unsatisfiable

    init(_ header: String?, size: Int) {
        guard let header, header.lowercased().hasPrefix("bytes=") else {
            self = .whole
            return
        }
        let ends = header.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
            .map { $0.filter { $0 != " " && $0 != "\t" } }
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }),
            !(ends[0].isEmpty && ends[1].isEmpty)
        else {
            self = .whole
            return
        }
        // A number that no Int holds is beyond the end.
        let (first, last) = (Int(ends[0]) ?? .max, Int(ends[1]) ?? .max)
        if ends[0].isEmpty {
            self = last > 0 && size > 0 ? .part(max(0, size - last)...size - 1) : .unsatisfiable
        } else if !ends[1].isEmpty, last < first {
            self = .whole
        } else {
            self = first < size ? .part(first...min(last, size - 1)) : .unsatisfiable
        }
    }
}
