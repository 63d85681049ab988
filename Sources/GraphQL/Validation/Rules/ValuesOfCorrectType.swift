/// Spec: 5.6.1 Values of Correct Type, 5.6.2 Input Object Field Names, 5.6.4 Input Object Required Fields
struct ValuesOfCorrectType: ValidationRule {
    private var operation: OperationDefinition?
    /// The depth within a list or object that is checked as a whole and whose contents are not checked, such as the
    /// literal of a custom scalar; 0 outside of one.
    private var ignoredDepth = 0

    mutating func enter(_ operation: OperationDefinition, _ context: inout ValidationContext) {
        self.operation = operation
    }

    mutating func leave(_ operation: OperationDefinition, _ context: inout ValidationContext) {
        self.operation = nil
    }

    mutating func enter(_ value: Value, _ context: inout ValidationContext) {
        guard ignoredDepth == 0 else {
            if value.isListOrObject { ignoredDepth += 1 }
            return
        }
        let type = context.inputType
        switch value.kind {
        case .list:
            if case .list = type?.nullable { return }
            checkLeaf(value, type?.nullable, &context)
            ignoredDepth = 1
        case .object(let fields):
            guard let type, case .inputObject(let object) = context.schema[type.namedType] else {
                checkLeaf(value, type, &context)
                ignoredDepth = 1
                return
            }
            checkRequiredFields(of: object, in: fields, value.location, &context)
            if object.isOneOf { checkOneOf(object, fields, value.location, &context) }
        case .null:
            if let type, type.isNonNull {
                context.report(
                    "Expected value of type \"\(context.notation(of: type))\", found null.", at: value.location)
            }
        case .variable: break
        case .int, .float, .string, .boolean, .enumeration: checkLeaf(value, type, &context)
        }
    }

    mutating func leave(_ value: Value, _ context: inout ValidationContext) {
        if ignoredDepth > 0 { ignoredDepth -= 1 }
    }

    func enter(_ field: ObjectField, _ context: inout ValidationContext) {
        guard ignoredDepth == 0, context.inputType == nil, let object = context.inputObject else { return }
        let name = field.name.value
        context.report(
            "Field \"\(name)\" is not defined by type \"\(object.name)\"."
                + context.didYouMean(suggestionList(name, object.fields.map(\.name))),
            at: field.location)
    }

    private func checkLeaf(_ value: Value, _ type: TypeReference?, _ context: inout ValidationContext) {
        guard let type else { return }
        let message: String? =
            switch context.schema[type.namedType] {
            case .scalar(let scalar): scalar.literalError(value, expected: context.notation(of: type))
            case .enumeration(let enumeration): enumeration.literalError(value, context)
            case .object, .interface, .union, .inputObject:
                "Expected value of type \"\(context.notation(of: type))\", found \(value.printed)."
            }
        guard let message else { return }
        context.report(
            context.isSensitive ? "Expected value of type \"\(context.notation(of: type))\"." : message,
            at: value.location)
    }

    private func checkRequiredFields(
        of object: InputObjectType, in fields: [ObjectField], _ location: Location, _ context: inout ValidationContext
    ) {
        for field in object.fields where field.isRequired && !fields.contains(where: { $0.name.value == field.name }) {
            let type = context.notation(of: field.type)
            context.report(
                "Field \"\(object.name).\(field.name)\" of required type \"\(type)\" was not provided.", at: location)
        }
    }

    private func checkOneOf(
        _ object: InputObjectType, _ fields: [ObjectField], _ location: Location, _ context: inout ValidationContext
    ) {
        guard Set(fields.map(\.name.value)).count == 1, let field = fields.last else {
            context.report(
                "OneOf Input Object \"\(object.name)\" must specify exactly one key.", at: location)
            return
        }
        switch field.value.kind {
        case .null:
            context.report("Field \"\(object.name).\(field.name.value)\" must be non-null.", at: location)
        case .variable(let name):
            let definition = operation?.variableDefinitions.last { $0.name.value == name }
            if let definition, !definition.type.isNonNull {
                context.report(
                    "Variable \"\(name)\" must be non-nullable to be used for OneOf Input Object \"\(object.name)\".",
                    at: location)
            }
        case .int, .float, .string, .boolean, .enumeration, .list, .object: break
        }
    }
}

extension Value {
    var isListOrObject: Bool {
        switch kind {
        case .list, .object: true
        case .variable, .int, .float, .string, .boolean, .null, .enumeration: false
        }
    }
}
