import Glibc

/// SOCK_STREAM as a number: Glibc declares it as an enumeration's case.
let streamSocket = Int32(SOCK_STREAM.rawValue)

/// The address of an entry of getaddrinfo, as text and as bytes in network order. nil if it is neither IPv4 nor IPv6.
func numeric(_ entry: addrinfo) -> (text: String, bytes: [UInt8])? {
    guard let address = UnsafeRawPointer(entry.ai_addr) else { return nil }
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let bytes: [UInt8]
    switch entry.ai_family {
    case AF_INET:
        bytes = withUnsafeBytes(of: address.load(as: sockaddr_in.self).sin_addr) { Array($0) }
    case AF_INET6:
        bytes = withUnsafeBytes(of: address.load(as: sockaddr_in6.self).sin6_addr) { Array($0) }
    default: return nil
    }
    guard inet_ntop(entry.ai_family, bytes, &text, socklen_t(text.count)) != nil else { return nil }
    return (String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self), bytes)
}
