/// The limits of a multipart request, which bound the memory that it takes.
public struct UploadLimits: Sendable {
    /// The greatest length of one file, in bytes.
    public var fileSize = 1 << 20
    /// The greatest number of files of one request, including files that the map does not name.
    public var fileCount = 4
    /// The greatest length of everything but the files, in bytes: operations, map, headers and boundaries.
    public var nonFileSize = 64 << 10
    /// The greatest number of places in the variables that the map may give.
    public var mapPathCount = 100

    public init() {}

    /// The greatest length of the whole body, in bytes.
    var bodySize: Int { fileCount * fileSize + nonFileSize }
}
