import Postgres

/// Deletes images that no object has used for a day, and returns the number of images that it looked at.
struct SweepImages: Statement {
    private static let batchSize: Int32 = 200

    var sql: SQL { "select sweep_images(\(Self.batchSize))" }

    func decode(_ row: Row) -> Int32 { row.int32(0) }
}

/// Deletes contents that neither an image nor a report refers to, and returns the number of contents that it looked at.
/// Batches are small because each content may be a megabyte in 500 TOAST rows.
struct SweepImageContents: Statement {
    private static let batchSize: Int32 = 20

    var sql: SQL { "select sweep_image_contents(\(Self.batchSize))" }

    func decode(_ row: Row) -> Int32 { row.int32(0) }
}
