/// The constants of a type system: default values, and the arguments of applied directives.
extension SchemaValidation {
    /// Spec: 3.6 Objects, "Type Validation"; 5.6.1 Values of Correct Type
    mutating func checkConstants() {
        // Circular defaults, which cannot be coerced, are reported by `checkInputObjectCycles`.
        guard DefaultValueCycles(schema).cycles.isEmpty else { return }
        check(schema.appliedDirectives)
        for directive in schema.directives {
            for argument in directive.arguments { check(argument, at: "@\(directive.name)(\(argument.name):)") }
        }
        for type in schema.types where !BuiltInDefinitions.isTypeName(type.name) { checkConstants(of: type) }
    }

    private mutating func checkConstants(of type: NamedType) {
        switch type {
        case .scalar(let scalar): check(scalar.directives)
        case .object(let object):
            check(object.directives)
            checkConstants(of: object.fields, in: object.name)
        case .interface(let interface):
            check(interface.directives)
            checkConstants(of: interface.fields, in: interface.name)
        case .union(let union): check(union.directives)
        case .enumeration(let enumeration):
            check(enumeration.directives)
            for value in enumeration.values { check(value.directives) }
        case .inputObject(let inputObject):
            check(inputObject.directives)
            for field in inputObject.fields { check(field, at: "\(inputObject.name).\(field.name)") }
        }
    }

    private mutating func checkConstants(of fields: [FieldType], in type: String) {
        for field in fields {
            check(field.directives)
            for argument in field.arguments { check(argument, at: "\(type).\(field.name)(\(argument.name):)") }
        }
    }

    private mutating func check(_ input: InputValueType, at coordinate: String) {
        check(input.directives)
        guard let literal = input.defaultLiteral, schema[input.type.namedType].isInput else { return }
        do { _ = try coercion.coerce(literal, input.type) } catch {
            report("\(coordinate) has invalid default value: \(error.message)", at: [literal.location])
        }
    }

    private mutating func check(_ directives: [Directive]) {
        for directive in directives {
            guard let definition = schema.directive(named: directive.name.value) else { continue }
            for argument in directive.arguments {
                guard let type = definition.argument(named: argument.name.value)?.type else { continue }
                do { _ = try coercion.coerce(argument.value, type) } catch {
                    report(
                        "Argument \"\(argument.name.value)\" of directive \"@\(definition.name)\" "
                            + "has an invalid value: \(error.message)",
                        at: [argument.value.location])
                }
            }
        }
    }

    private var coercion: LiteralCoercion { LiteralCoercion(schema: schema, readsDefaultLiterals: true) }
}
