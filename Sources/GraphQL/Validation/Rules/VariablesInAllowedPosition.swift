/// Spec: 5.8.5 All Variable Usages Are Allowed
struct VariablesInAllowedPosition: ValidationRule {
    /// By operation, the place of its errors in the order of errors.
    private var ordinals: [Int32] = []

    mutating func leave(_ operation: OperationDefinition, _ context: inout ValidationContext) {
        ordinals.append(context.reserveOrdinal())
    }

    func leave(_ document: Document, _ context: inout ValidationContext) {
        for (operation, ordinal) in zip(context.index.operations, ordinals)
        where !operation.definition.variableDefinitions.isEmpty {
            var variables: [Int32: (definition: VariableDefinition, type: TypeReference)] = [:]
            for (name, definition) in zip(operation.variables, operation.definition.variableDefinitions) {
                guard let type = context.schema.typeReference(for: definition.type) else { continue }
                variables[name] = (definition, type)
            }
            context.forEachVariableUsage(in: operation) { usage, isInFragment, context in
                guard let (definition, type) = variables[usage.name], let expected = usage.type else { return }
                check(definition, type, usage, expected, isInFragment: isInFragment, ordinal, &context)
            }
        }
    }

    private func check(
        _ definition: VariableDefinition, _ type: TypeReference, _ usage: VariableUsage, _ expected: TypeReference,
        isInFragment: Bool, _ ordinal: Int32, _ context: inout ValidationContext
    ) {
        if !isVariableUsageAllowed(definition, type, usage, expected, context.schema) {
            context.report(
                "Variable \"$\(definition.name.value)\" of type \"\(context.notation(of: type))\" "
                    + "used in position expecting type \"\(context.notation(of: expected))\".",
                at: [definition.location, usage.location], ordinal: ordinal)
        }
        // `ValuesOfCorrectType` reports a variable that the operation itself uses, too. It alone does so if the
        // object's position is a list or non-null.
        if let oneOf = usage.oneOf, !type.isNonNull, isInFragment || !oneOf.isWrapped {
            context.report(
                "Variable \"$\(definition.name.value)\" is of type \"\(context.notation(of: type))\" but must be "
                    + "non-nullable to be used for OneOf Input Object \"\(context.schema[oneOf.type].name)\".",
                at: [definition.location, usage.location], ordinal: ordinal)
        }
    }

    /// Spec: 5.8.5 IsVariableUsageAllowed
    private func isVariableUsageAllowed(
        _ definition: VariableDefinition, _ type: TypeReference, _ usage: VariableUsage, _ expected: TypeReference,
        _ schema: Schema
    ) -> Bool {
        guard expected.isNonNull, !type.isNonNull else { return areTypesCompatible(type, expected) }
        let hasNonNullDefault = definition.defaultValue.map { if case .null = $0.kind { false } else { true } } ?? false
        return (hasNonNullDefault || usage.hasDefault) && areTypesCompatible(type, expected.nullable)
    }

    /// Spec: 5.8.5 AreTypesCompatible
    private func areTypesCompatible(_ variable: TypeReference, _ location: TypeReference) -> Bool {
        switch (variable, location) {
        case (.nonNull(let variable), .nonNull(let location)): areTypesCompatible(variable, location)
        case (_, .nonNull): false
        case (.nonNull(let variable), _): areTypesCompatible(variable, location)
        case (.list(let variable), .list(let location)): areTypesCompatible(variable, location)
        case (.named(let variable), .named(let location)): variable == location
        case (.list, .named), (.named, .list): false
        }
    }
}
