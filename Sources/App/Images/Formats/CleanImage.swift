/// An image as it is stored: the parts of the file that are needed to display it, and no others.
struct CleanImage: Equatable, Sendable {
    enum Format: String, Sendable {
        case png = "image/png"
        case jpeg = "image/jpeg"
        case gif = "image/gif"
        case webP = "image/webp"
    }

    let format: Format
    /// In pixels, as displayed: after the orientation is applied.
    let width: Int
    let height: Int
    let bytes: [UInt8]

    init(_ format: Format, width: Int, height: Int, orientation: Orientation? = nil, bytes: [UInt8]) {
        let isTransposed = orientation?.isTransposed ?? false
        self.format = format
        self.width = isTransposed ? height : width
        self.height = isTransposed ? width : height
        self.bytes = bytes
    }

    /// Checks and cleans a file. Its first bytes determine the format, not the client's Content-Type, and the whole
    /// structure is parsed.
    init(cleaning file: [UInt8]) throws(ImageError) {
        guard file.count <= ImageLimits.byteCount else { throw .tooManyBytes }
        let reader = ByteReader(file)
        self =
            switch file.prefix(4) {
            case [0x89, 0x50, 0x4E, 0x47]: try PNG.clean(reader)
            case [0x47, 0x49, 0x46, 0x38]: try GIF.clean(reader)
            case [0x52, 0x49, 0x46, 0x46]: try WebP.clean(reader)
            default:
                if file.starts(with: [0xFF, 0xD8, 0xFF]) { try JPEG.clean(reader) } else { throw .unsupported }
            }
    }
}
