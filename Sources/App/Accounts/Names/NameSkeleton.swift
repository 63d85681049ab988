import Auth

/// The skeleton of a name. Two names with the same skeleton look alike.
/// Source: Unicode Technical Standard #39, section 4, Confusable Detection
enum NameSkeleton {
    /// The skeleton of the name in lower case and NFC, without invisible characters (Default_Ignorable_Code_Point).
    static func of(_ name: String) -> String {
        var skeleton = String.UnicodeScalarView()
        for scalar in NormalizationFormC.normalize(name.lowercased()).unicodeScalars
        where !scalar.properties.isDefaultIgnorableCodePoint {
            if let mapped = mappings[scalar] {
                skeleton.append(contentsOf: mapped)
            } else {
                skeleton.append(scalar)
            }
        }
        return String(skeleton)
    }

    private static let mappings: [Unicode.Scalar: [Unicode.Scalar]] = {
        var mappings: [Unicode.Scalar: [Unicode.Scalar]] = [:]
        for line in String(decoding: PackageResources.confusables_txt, as: UTF8.self).split(separator: "\n") {
            let scalars = line.split(separator: " ").compactMap { UInt32($0, radix: 16).flatMap(Unicode.Scalar.init) }
            if let first = scalars.first { mappings[first] = Array(scalars.dropFirst()) }
        }
        return mappings
    }()
}

/// A name that may imitate another: it mixes scripts, as "Аnа" with two Cyrillic letters does, or has invisible
/// characters. It is refused if another account has a different name with the same skeleton. Other names are not
/// compared, because many names in one script look alike for honest reasons.
struct NameDisguise {
    let name: String
    let skeleton: String

    init?(_ name: String) {
        guard Scripts.areMixed(in: name) || name.unicodeScalars.contains(where: \.joinsOrVaries) else { return nil }
        self.name = name
        skeleton = NameSkeleton.of(name)
    }
}
