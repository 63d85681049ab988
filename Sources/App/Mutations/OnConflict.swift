import GraphQL

/// The handling of an existing object with the given id by a mutation that creates one.
enum OnConflict: String, InputDecodable, CaseIterable {
    case keep = "KEEP"
    case overwrite = "OVERWRITE"
}
