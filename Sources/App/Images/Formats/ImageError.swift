/// Why a file is not stored as an image.
enum ImageError: Error, Equatable {
    /// None of the formats, or a variant that browsers do not show.
    case unsupported
    /// Cut off, or not as its format has it.
    case damaged
    /// Something else stands behind the image, which may be read as a file of another kind.
    case trailingData
    case tooManyBytes
    case tooManyPixels
    case tooManyFrames
}

/// What an image may measure. What is smaller than a decoder's memory can be a bomb for it.
enum ImageLimits {
    static let byteCount = 1 << 20
    static let pixels = 16_000_000
    static let frames = 1_000
    /// Of all frames of an animation, each as large as the whole.
    static let animatedPixels = 256_000_000
    /// Passes over a progressive JPEG: each makes a decoder go through all of its pixels.
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
