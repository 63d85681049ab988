import Testing

@testable import GraphQL

@Suite struct InspectionTests {
    @Test func showsShortValuesWhole() {
        let object = InputObject([("a", .list([.int(1), .null])), ("b", .string("x\"\n\u{1}"))])
        #expect(InputValue.object(object).inspection == #"{ a: [1, null], b: "x\"\n\u0001" }"#)
        #expect(InputValue.list([]).inspection == "[]")
        #expect(InputValue.object(InputObject()).inspection == "{}")
    }

    @Test func cutsWhatIsLongOrDeep() {
        let long = InputValue.list(Array(repeating: .int(0), count: 12))
        #expect(long.inspection == "[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ... 2 more items]")
        let deep = InputValue.list([.list([.list([.int(1)]), .object(InputObject([("a", .null)]))])])
        #expect(deep.inspection == "[[[Array], [Object]]]")
    }

    @Test func staysShortWhateverTheSize() {
        let fields = (0..<100_000).map { (name: "field\($0)", value: InputValue.int($0)) }
        let long = String(repeating: "x", count: 100_000)
        for value in [
            InputValue.object(InputObject(fields)), .string(long),
            .object(InputObject([(long, .int(1)), ("a", .int(2))])),
        ] {
            #expect(value.inspection.utf8.count < 1_100 && value.inspection.hasSuffix("…"))
        }
    }

    @Test(arguments: [
        (0.0, "0"), (-0.0, "0"), (1.0, "1"), (-1.5, "-1.5"), (1e21, "1e+21"), (1e20, "100000000000000000000"),
        (123456789012345683968, "123456789012345680000"), (1e-6, "0.000001"), (1e-7, "1e-7"), (1.25e-10, "1.25e-10"),
        (8.293842938492835e26, "8.293842938492835e+26"), (0.1 + 0.2, "0.30000000000000004"),
        (.leastNonzeroMagnitude, "5e-324"),
        (100.5, "100.5"), (.infinity, "Infinity"), (.nan, "NaN"),
    ])
    func writesNumbersAsECMAScriptDoes(_ number: Double, _ text: String) {
        #expect(number.ecmaScriptNotation == text)
    }
}
