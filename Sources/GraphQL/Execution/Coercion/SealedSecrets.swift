/// Hides the secrets of an input object before an error message shows it. Coercion makes sensitive values `.secret`,
/// but an object that does not fit is shown as it was before coercion.
extension InputObjectType {
    /// The object with `.secret(nil)` in place of the values of sensitive fields, at any depth. Where `hasSecrets` is
    /// true, the value of an undefined field is replaced, too: the name may be a misspelt one of a field with secrets.
    func withSealedSecrets(_ object: InputObject, in schema: Schema) -> InputObject {
        let hidesUndefined = hasSecrets(in: schema)
        return InputObject(
            object.fields.map { name, value in
                guard let field = field(named: name) else { return (name, hidesUndefined ? .secret(nil) : value) }
                if field.isSensitive { return (name, .secret(nil)) }
                guard case .inputObject(let type) = schema[field.type.namedType] else { return (name, value) }
                return (name, type.withSealedSecrets(value, in: schema))
            })
    }

    private func withSealedSecrets(_ value: InputValue, in schema: Schema) -> InputValue {
        switch value {
        case .object(let object): .object(withSealedSecrets(object, in: schema))
        case .list(let items): .list(items.map { withSealedSecrets($0, in: schema) })
        case .null: .null
        default: hasSecrets(in: schema) ? .secret(nil) : value
        }
    }

    /// True where the type, or an input object type that its fields lead to, has a sensitive field.
    func hasSecrets(in schema: Schema) -> Bool {
        var seen: Set<String> = []
        return hasSecrets(in: schema, except: &seen)
    }

    private func hasSecrets(in schema: Schema, except seen: inout Set<String>) -> Bool {
        guard seen.insert(name).inserted else { return false }
        for field in fields {
            if field.isSensitive { return true }
            if case .inputObject(let type) = schema[field.type.namedType], type.hasSecrets(in: schema, except: &seen) {
                return true
            }
        }
        return false
    }
}
