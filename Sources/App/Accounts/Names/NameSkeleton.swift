import Auth

/// The skeleton of a name: two names with the same skeleton look alike.
/// Source: Unicode Technical Standard #39, section 4, Confusable Detection
enum NameSkeleton {
    /// - Parameter name: compared in lower case and NFC, without characters that draw nothing.
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

/// A name that could be meant to be taken for another one: it mixes scripts, as "Аnа" with two Cyrillic letters does, or has
/// characters that draw nothing. It is refused where somebody has a name with the same skeleton that is not the same name.
/// Names in one script are not compared: many that look alike are honest.
struct NameDisguise {
    let name: String
    let skeleton: String

    init?(_ name: String) {
        guard Scripts.areMixed(in: name) || name.unicodeScalars.contains(where: \.joinsOrVaries) else { return nil }
        self.name = name
        skeleton = NameSkeleton.of(name)
    }
}
