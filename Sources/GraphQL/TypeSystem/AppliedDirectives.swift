extension [Directive] {
    /// Spec: 3.13.3 @deprecated
    var deprecationReason: String? {
        guard let deprecated = first(where: { $0.name.value == "deprecated" }) else { return nil }
        return deprecated.string(named: "reason") ?? "No longer supported"
    }

    /// Spec: 3.13.4 @specifiedBy
    var specifiedByURL: String? {
        first { $0.name.value == "specifiedBy" }?.string(named: "url")
    }

    /// A directive of ours, which a schema that uses it defines: `directive @sensitive on INPUT_FIELD_DEFINITION`.
    var isSensitive: Bool { contains { $0.name.value == "sensitive" } }
}

extension Directive {
    fileprivate func string(named name: String) -> String? {
        guard let argument = arguments.first(where: { $0.name.value == name }) else { return nil }
        if case .string(let string) = argument.value.kind { return string.value }
        return nil
    }
}
