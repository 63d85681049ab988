import GraphQL

/// What a create does where the viewer has an object of the given id already.
enum OnConflict: String, InputDecodable, CaseIterable {
    case keep = "KEEP"
    case overwrite = "OVERWRITE"
}
