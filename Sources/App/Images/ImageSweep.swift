import Postgres

/// Deletes images that nothing has used for a day.
struct SweepImages: Statement {
    private static let batchSize: Int32 = 200

    var sql: SQL { "select sweep_images(\(Self.batchSize))" }

    func decode(_ row: Row) -> Int32 { row.int32(0) }
}

/// Deletes the contents of images that are gone. Each may be a megabyte in 500 pieces.
struct SweepImageContents: Statement {
    private static let batchSize: Int32 = 20

    var sql: SQL { "select sweep_image_contents(\(Self.batchSize))" }

    func decode(_ row: Row) -> Int32 { row.int32(0) }
}
