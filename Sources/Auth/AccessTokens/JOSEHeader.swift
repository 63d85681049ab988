/// The protected header. It has exactly the members `alg`, `typ` and `kid`: any other (`jku`, `jwk`, `x5u`, `crit`, …)
/// could ask for processing that this server does not do, so such a token is refused (RFC 8725, section 3.10).
struct JOSEHeader {
    let kid: String

    init(kid: String) { self.kid = kid }

    init?(json: [UInt8]) {
        guard let members = JSONReader.value(of: json)?.object, members.count == 3,
            members["alg"] == .string("EdDSA"), members["typ"] == .string("at+jwt"),
            let kid = members["kid"]?.string
        else { return nil }
        self.kid = kid
    }

    func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.object {
            $0.member("alg", "EdDSA")
            $0.member("typ", "at+jwt")
            $0.member("kid", kid)
        }
        return writer.bytes
    }
}
