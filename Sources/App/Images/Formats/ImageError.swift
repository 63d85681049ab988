/// The reason for refusing a file as an image.
enum ImageError: Error, Equatable {
    /// The file has none of the formats, or a variant that browsers do not display.
    case unsupported
    /// The file is truncated or violates its format.
    case damaged
    case tooManyBytes
    case tooManyPixels
    case tooManyFrames

    var code: UserErrorCode {
        switch self {
        case .unsupported: .unsupportedMedia
        case .damaged: .invalid
        case .tooManyBytes, .tooManyPixels, .tooManyFrames: .tooLarge
        }
    }

    var sentence: String {
        switch self {
        case .unsupported: "Only PNG, JPEG, GIF and WebP images can be uploaded."
        case .damaged: "The image is damaged or incomplete."
        case .tooManyBytes: "An image can have 1 MiB at most."
        case .tooManyPixels: "An image can have 16 megapixels at most."
        case .tooManyFrames: "The image has too many or too large frames."
        }
    }
}

/// The limits of an image. Pixels and frames are limited because a small file can still exhaust a decoder's memory.
enum ImageLimits {
    static let byteCount = 1 << 20
    static let pixels = 16_000_000
    static let frames = 1_000
    /// The pixels of all frames of an animation, each counted as large as the canvas.
    static let animatedPixels = 256_000_000
    /// The scans of a progressive JPEG: for each a decoder goes through all pixels.
    static let scans = 64

    static func check(width: Int, height: Int) throws(ImageError) {
        guard width > 0, height > 0 else { throw .damaged }
        guard width <= pixels, height <= pixels, width * height <= pixels else { throw .tooManyPixels }
    }

    static func check(frames count: Int, width: Int, height: Int) throws(ImageError) {
        guard count > 0 else { throw .damaged }
        guard count <= frames, count == 1 || count * width * height <= animatedPixels else { throw .tooManyFrames }
    }
}
