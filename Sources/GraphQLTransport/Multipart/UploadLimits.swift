/// Bounds of a multipart request, and so of the memory that it takes.
public struct UploadLimits: Sendable {
    /// Bytes of one file.
    public var fileSize = 1 << 20
    /// Files of one request, those that nothing refers to included.
    public var fileCount = 4
    /// Bytes of all the rest: operations, map, headers, boundaries.
    public var restSize = 64 << 10
    /// How many variables the map may name.
    public var placeCount = 100

    public init() {}

    /// Bytes of a whole body.
    var bodySize: Int { fileCount * fileSize + restSize }
}
