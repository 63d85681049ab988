/// The scripts that characters are written in.
/// Sources: Unicode Standard Annex #24; Unicode Technical Standard #39, section 5.1, Mixed-Script Detection
enum Scripts {
    /// True if no single script has all characters of a text. Japanese, Korean and Chinese are written in several
    /// scripts each, which count as one.
    static func areMixed(in text: String) -> Bool {
        var common: Set<String>?
        for scalar in text.unicodeScalars {
            guard let own = of(scalar) else { continue }
            common = common.map { $0.intersection(own) } ?? own
        }
        return common?.isEmpty == true
    }

    /// The character's augmented script set; nil for a character of every script, such as a digit.
    static func of(_ scalar: Unicode.Scalar) -> Set<String>? {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].last < scalar.value { low = middle + 1 } else { high = middle }
        }
        guard low < ranges.count, ranges[low].first <= scalar.value else { return nil }
        return ranges[low].scripts
    }

    private struct Range {
        let first: UInt32
        let last: UInt32
        let scripts: Set<String>
    }

    private static let writingSystems = [
        "Hani": ["Hanb", "Jpan", "Kore"], "Hira": ["Jpan"], "Kana": ["Jpan"], "Hang": ["Kore"], "Bopo": ["Hanb"],
    ]

    private static let ranges: [Range] = String(decoding: PackageResources.scripts_txt, as: UTF8.self)
        .split(separator: "\n").compactMap { line in
            let parts = line.split(separator: " ")
            guard parts.count > 2, let first = UInt32(parts[0], radix: 16), let last = UInt32(parts[1], radix: 16)
            else {
                return nil
            }
            let scripts = parts.dropFirst(2).map(String.init)
            return Range(first: first, last: last, scripts: Set(scripts + scripts.flatMap { writingSystems[$0] ?? [] }))
        }
}
