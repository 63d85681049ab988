/// Takes the common indentation and the empty lines at both ends away.
/// Spec: BlockStringValue(rawValue)
func blockStringValue(_ lines: [[UInt8]]) -> String {
    var commonIndent = Int.max
    var firstNonEmpty: Int?
    var lastNonEmpty = -1
    for (index, line) in lines.enumerated() {
        let indent = line.prefix { $0 == 0x20 || $0 == 0x09 }.count
        if indent == line.count { continue }
        firstNonEmpty = firstNonEmpty ?? index
        lastNonEmpty = index
        if index != 0 { commonIndent = min(commonIndent, indent) }
    }
    guard let firstNonEmpty else { return "" }
    var value: [UInt8] = []
    for index in firstNonEmpty...lastNonEmpty {
        if index > firstNonEmpty { value.append(0x0A) }
        value.append(contentsOf: index == 0 ? lines[index][...] : lines[index].dropFirst(commonIndent))
    }
    return String(decoding: value, as: UTF8.self)
}
