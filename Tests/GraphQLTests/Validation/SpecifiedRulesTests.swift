import Testing

@testable import GraphQL

@Suite struct SpecifiedRulesTests {
    @Test func aRuleIsNamedAsItsType() {
        #expect([ValidationRuleName].specified.count == 31)
        #expect([ValidationRuleName].specified.first?.rawValue == "ExecutableDefinitions")
        #expect([ValidationRuleName].specified.last?.rawValue == "UniqueInputFieldNames")
        #expect(ValidationRuleName(rawValue: "ScalarLeafs").map { [$0].rules.first is ScalarLeafs } == true)
        #expect(ValidationRuleName(rawValue: "ScalarLeaf") == nil)
    }

    @Test func theOptionalRulesComeLast() {
        let optional = ValidationRuleName.allCases.dropFirst([ValidationRuleName].specified.count)
        #expect(Array(optional) == [.noDeprecated, .noSchemaIntrospection, .maxIntrospectionDepth])
        #expect(Set(ValidationRuleName.allCases).count == ValidationRuleName.allCases.count)
    }
}
