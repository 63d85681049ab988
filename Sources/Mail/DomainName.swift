import CIDN2

/// Domain names as the DNS and SMTP have them.
public enum DomainName {
    /// The domain in lower case. A domain in another script is mapped by UTS #46, nontransitional, and gets A-labels
    /// (RFC 5890, section 2.3.2.1), so that it has one form. A domain of ASCII characters is not checked.
    /// - Returns: nil if libidn2 refuses the domain, as IDNA2008 (RFC 5891) asks.
    public static func ascii(_ domain: String) -> String? {
        let lowercased = domain.lowercased()
        if lowercased.utf8.allSatisfy({ $0 < 0x80 }) { return lowercased }
        // A C string ends at NUL.
        if lowercased.utf8.contains(0) { return nil }
        var output: UnsafeMutablePointer<UInt8>?
        let flags = Int32(IDN2_NFC_INPUT.rawValue | IDN2_NONTRANSITIONAL.rawValue)
        let result = lowercased.withCString(encodedAs: UTF8.self) { idn2_lookup_u8($0, &output, flags) }
        guard result == IDN2_OK.rawValue, let output else { return nil }
        defer { idn2_free(output) }
        let ascii = String(cString: output)
        // The mapping makes "@" of U+FF20 and "a/c" of U+2100.
        let isHostName = ascii.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
                UInt8(ascii: "."):
                true
            default: false
            }
        }
        return isHostName ? ascii : nil
    }
}
