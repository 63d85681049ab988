/// The delimiter between the parts of a body, from the parameter of its media type.
/// RFC 2046, 5.1.1 Common Syntax
struct MultipartBoundary: Equatable {
    /// CRLF, two dashes and the boundary.
    let delimiter: [UInt8]

    /// nil where the type is not `multipart/form-data` with a boundary.
    init?(contentType: String) {
        guard let type = MediaType(contentType), type.type == "multipart", type.subtype == "form-data",
            let boundary = type[parameter: "boundary"]
        else { return nil }
        self.init(boundary)
    }

    /// boundary := 0*69<bchars> bcharsnospace. All visible ASCII characters and the space are accepted for
    /// bchars.
    init?(_ boundary: String) {
        guard 1...70 ~= boundary.utf8.count, boundary.last != " ",
            boundary.utf8.allSatisfy({ 0x20...0x7E ~= $0 })
        else { return nil }
        delimiter = Array("\r\n--\(boundary)".utf8)
    }
}
