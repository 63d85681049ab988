/// The rules by which an app's documents are imported, by path.
public struct Mapping: Sendable {
    let name: String
    let rules: [MappingRule]

    /// The longest mapping file that is read, in bytes.
    public static let maximumByteCount = 1 << 16

    init(name: String, rules: [MappingRule]) {
        self.name = name
        self.rules = rules
    }

    /// Takes the ready mapping of this name, or reads the mapping file at this path.
    public init(_ nameOrPath: String) throws(ImportFailure) {
        if let ready = Self.ready.first(where: { $0.name == nameOrPath }) {
            self = try MappingParser(name: ready.name).parse(ready.text)
            return
        }
        guard let bytes = try InputFile.contents(of: nameOrPath, limit: Self.maximumByteCount) else {
            throw ImportFailure("\(nameOrPath) has more than 64 KiB.")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ImportFailure("\(nameOrPath) is not UTF-8.")
        }
        self = try MappingParser(name: nameOrPath).parse(text)
    }

    /// The mappings that come with the program, for the shapes of apps that docs/from-firebase.md describes.
    public static let ready: [(name: String, text: String)] = [
        ("rndm", PackageResources.rndm_yaml), ("posts", PackageResources.posts_yaml),
        ("socials", PackageResources.socials_yaml), ("practica", PackageResources.practica_yaml),
        ("reswift", PackageResources.reswift_yaml),
    ].map { (name: $0, text: String(decoding: $1, as: UTF8.self)) }

    var patterns: [PathPattern] {
        var seen: Set<PathPattern> = []
        return rules.map(\.path).filter { seen.insert($0).inserted }
    }
}
