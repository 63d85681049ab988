/// A picture that an import brings, checked and cleaned as an upload.
package struct WrittenImage: Sendable {
    /// The largest file in bytes.
    package static let maximumByteCount = ImageLimits.byteCount

    package let bytes: [UInt8]
    package let mimeType: String
    /// In pixels, as displayed.
    package let width: Int32
    package let height: Int32

    package init(cleaning file: [UInt8]) throws(WrittenText.Refusal) {
        let image: CleanImage
        do { image = try CleanImage(cleaning: file) } catch {
            throw WrittenText.Refusal(reason: error.sentence, isTooLong: error == .tooManyBytes)
        }
        bytes = image.bytes
        mimeType = image.format.rawValue
        width = Int32(image.width)
        height = Int32(image.height)
    }

    /// The refusal of a file of more than ``maximumByteCount`` bytes.
    package static let isTooLarge = WrittenText.Refusal(reason: ImageError.tooManyBytes.sentence, isTooLong: true)
}
