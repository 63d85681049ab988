import Postgres

/// Deletes a batch of images that no object has used for a day.
struct SweepImages: Statement {
    private static let batchSize: Int32 = 200

    var sql: SQL { "select sweep_images(\(Self.batchSize))" }

    func decode(_ row: Row) -> Int32 { row.int32(0) }
}

/// Deletes a batch of contents that no image refers to. Batches are small because each content may be a megabyte in 500
/// TOAST rows.
struct SweepImageContents: Statement {
    private static let batchSize: Int32 = 20

    var sql: SQL { "select sweep_image_contents(\(Self.batchSize))" }

    func decode(_ row: Row) -> Int32 { row.int32(0) }
}
