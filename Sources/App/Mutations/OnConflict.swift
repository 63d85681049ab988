import GraphQL

/// How a mutation that creates an object treats an object of the viewer's that has the given id already. The id of
/// somebody else's object is refused with TAKEN in either case.
enum OnConflict: String, InputDecodable, CaseIterable {
    case keep = "KEEP"
    case overwrite = "OVERWRITE"
}
