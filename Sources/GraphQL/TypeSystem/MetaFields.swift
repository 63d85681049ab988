/// The meta-fields, which every schema has without defining them: `__typename`, `__schema` and `__type`.
/// Spec: 4.1 Type Name Introspection, 4.2 Schema Introspection
extension Schema {
    /// The definition of a field in scope, meta-fields included; unions have only `__typename`.
    @inline(__always)
    func field(named name: String, on type: TypeIndex) -> FieldType? {
        if let field = self[type].field(named: name) { return field }
        return metaField(named: name, on: type)
    }

    private func metaField(named name: String, on type: TypeIndex) -> FieldType? {
        switch name {
        case "__typename": typenameField
        case "__schema" where type == queryType: schemaField
        case "__type" where type == queryType: typeField
        default: nil
        }
    }
}

extension FieldType {
    convenience init?(meta name: String, _ type: TypeReference?, argument: (name: String, type: TypeReference)? = nil) {
        guard let type else { return nil }
        let arguments = argument.map {
            [
                InputValueType(
                    name: $0.name, description: nil, type: $0.type, defaultLiteral: nil, defaultValue: nil,
                    deprecationReason: nil, directives: [])
            ]
        }
        self.init(
            name: name, description: nil, arguments: arguments ?? [], type: type, deprecationReason: nil,
            directives: [])
    }
}
