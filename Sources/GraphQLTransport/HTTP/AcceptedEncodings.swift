/// RFC 9110, 12.5.3 Accept-Encoding
enum AcceptedEncodings {
    /// True where the client takes gzip. An entry for gzip takes precedence over `*`. An entry with the weight 0 means
    /// that the client refuses the encoding.
    static func takeGzip(_ header: String) -> Bool {
        var takesAny = false
        for element in header.lowercased().split(separator: ",") {
            let parts = element.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            switch parts.first {
            case "gzip", "x-gzip": return weight > 0
            case "*": takesAny = weight > 0
            default: continue
            }
        }
        return takesAny
    }
}
