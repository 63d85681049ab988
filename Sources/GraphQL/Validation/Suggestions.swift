/// ` Did you mean "a", "b", or "c"?`, with at most five suggestions; empty if there are none.
func didYouMean(_ suggestions: [String], _ subject: String = "") -> String {
    let quoted = suggestions.prefix(5).map { "\"\($0)\"" }
    let start = subject.isEmpty ? " Did you mean " : " Did you mean \(subject) "
    switch quoted.count {
    case 0: return ""
    case 1: return "\(start)\(quoted[0])?"
    case 2: return "\(start)\(quoted[0]) or \(quoted[1])?"
    default: return "\(start)\(quoted.dropLast().joined(separator: ", ")), or \(quoted[quoted.count - 1])?"
    }
}

/// The options that `input` may be a misspelling of, the nearest first.
func suggestionList(_ input: String, _ options: some Sequence<String>) -> [String] {
    let word = Array(input.lowercased().utf16)
    let threshold = input.utf16.count * 2 / 5 + 1
    var found: [(option: String, distance: Int)] = []
    for option in options {
        let distance = input == option ? 0 : lexicalDistance(word, Array(option.lowercased().utf16), threshold)
        if let distance { found.append((option, distance)) }
    }
    found.sort { $0.distance != $1.distance ? $0.distance < $1.distance : naturalOrder($0.option, $1.option) }
    return found.map(\.option)
}

/// The restricted Damerau-Levenshtein distance: the smallest number of insertions, deletions, substitutions and swaps
/// of neighbours, where swapped letters are not edited again. It is nil above the threshold. Both words are in lower
/// case; equal words differ in their case only and have the distance 1.
private func lexicalDistance(_ first: [UInt16], _ second: [UInt16], _ threshold: Int) -> Int? {
    if first == second { return 1 }
    let (long, short) = first.count < second.count ? (second, first) : (first, second)
    guard long.count - short.count <= threshold else { return nil }
    var beforePrevious = [Int](repeating: 0, count: short.count + 1)
    var previous = Array(0...short.count)
    var current = beforePrevious
    for row in 0..<long.count {
        current[0] = row + 1
        var smallest = row + 1
        for column in 0..<short.count {
            let substitution = previous[column] + (long[row] == short[column] ? 0 : 1)
            var cell = min(previous[column + 1] + 1, current[column] + 1, substitution)
            if row > 0, column > 0, long[row] == short[column - 1], long[row - 1] == short[column] {
                cell = min(cell, beforePrevious[column - 1] + 1)
            }
            current[column + 1] = cell
            smallest = min(smallest, cell)
        }
        if smallest > threshold { return nil }
        (beforePrevious, previous, current) = (previous, current, beforePrevious)
    }
    return previous[short.count] <= threshold ? previous[short.count] : nil
}

/// True where the first name comes before the second. Names are compared by UTF-16 code units, but runs of digits as
/// numbers: `a2` comes before `a10`.
func naturalOrder(_ first: String, _ second: String) -> Bool {
    let (first, second) = (Array(first.utf16), Array(second.utf16))
    var (left, right) = (0, 0)
    while left < first.count, right < second.count {
        let (leftRun, rightRun) = (digitRun(first, at: left), digitRun(second, at: right))
        if leftRun.length > 0, rightRun.length > 0 {
            if leftRun.digits != rightRun.digits {
                return leftRun.digits.count != rightRun.digits.count
                    ? leftRun.digits.count < rightRun.digits.count
                    : leftRun.digits.lexicographicallyPrecedes(rightRun.digits)
            }
            left += leftRun.length
            right += rightRun.length
        } else {
            if first[left] != second[right] { return first[left] < second[right] }
            left += 1
            right += 1
        }
    }
    return first.count < second.count
}

/// The run of digits that begins at a position: its digits without leading zeros, and its whole length in UTF-16 code
/// units.
private func digitRun(_ word: [UInt16], at start: Int) -> (digits: ArraySlice<UInt16>, length: Int) {
    let run = word[start...].prefix { (0x30...0x39).contains($0) }
    return (run.drop { $0 == 0x30 }, run.count)
}
