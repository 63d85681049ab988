import GraphQL

extension FieldType {
    /// The name of the directive on fields whose value may be a signed address: a URL of an image, whose query has a
    /// signature that expires. Clients store such an address without its query.
    static let signedAddress = "signedAddress"

    var isSignedAddress: Bool { directives.contains { $0.name.value == Self.signedAddress } }
}

extension Schema {
    /// True where the value of a field may be a signed address: `@signedAddress` is on the field's definition in this
    /// type, or in another type with which this type has a possible object type in common.
    func isSignedAddress(_ name: String, of type: TypeIndex) -> Bool {
        let objects = possibleTypes[type.rawValue]
        return types.indices.contains { index in
            guard let field = types[index].field(named: name), field.isSignedAddress else { return false }
            let other = possibleTypes[index]
            return objects.contains { other.contains($0) }
        }
    }
}
