extension Double {
    /// The shortest text that reads back as this number, in ECMAScript's notation.
    /// Spec: ECMA-262, Number::toString
    var ecmaScriptNotation: String {
        if isNaN { return "NaN" }
        if isInfinite { return self < 0 ? "-Infinity" : "Infinity" }
        if self == 0 { return "0" }
        let (digits, exponent) = magnitude.shortestDecimal
        let text =
            if exponent > 0 && exponent <= 21 {
                digits.pointed(at: exponent)
            } else if exponent <= 0 && exponent > -6 {
                "0." + String(repeating: "0", count: -exponent) + digits
            } else {
                digits.pointed(at: 1) + (exponent > 0 ? "e+\(exponent - 1)" : "e\(exponent - 1)")
            }
        return self < 0 ? "-" + text : text
    }

    /// Digits without zeros at either end, and the power of ten p in `0.digits × 10^p`.
    private var shortestDecimal: (digits: String, exponent: Int) {
        let parts = description.split(separator: "e")
        let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        let written = mantissa.joined()
        let significant = written.drop { $0 == "0" }
        var exponent = mantissa[0].count - (written.count - significant.count)
        if parts.count > 1 { exponent += Int(parts[1]) ?? 0 }
        let trailing = significant.reversed().prefix { $0 == "0" }.count
        return (String(significant.dropLast(trailing)), exponent)
    }
}

extension String {
    /// These digits with a decimal point after the first `position`, or filled up with zeros to that number.
    fileprivate func pointed(at position: Int) -> String {
        let missing = position - count
        if missing >= 0 { return self + String(repeating: "0", count: missing) }
        return prefix(position) + "." + dropFirst(position)
    }
}
