import FoundationEssentials
import GraphQL
import SystemPackage
import Testing

@testable import tertulia

@Suite struct CheckTests {
    private static let schema = "type Query { dog: Dog } type Dog { name: String old: Int @deprecated }"

    /// Files of these texts in a directory of their own.
    private func reports(
        schema: String = schema, _ documents: [String], _ flags: [String] = []
    ) async throws -> [CheckReport] {
        var reports: [CheckReport] = []
        try await TemporaryHome.with { directory in
            try Data(schema.utf8).write(to: URL(fileURLWithPath: directory.appending("schema.graphql").string))
            var arguments = ["--schema", directory.appending("schema.graphql").string] + flags
            for (index, document) in documents.enumerated() {
                let path = directory.appending("\(index).graphql").string
                try Data(document.utf8).write(to: URL(fileURLWithPath: path))
                arguments.append(path)
            }
            reports = try Check.parse(arguments).reports().map { report in
                CheckReport(file: FilePath(report.file).lastComponent?.string ?? "", errors: report.errors)
            }
        }
        return reports
    }

    @Test func eachFileHasAReport() async throws {
        let reports = try await reports(["{ dog { name } }", "{ dog { nam } }", "{ dog {"])
        #expect(
            reports.map { $0.lines(.text) } == [
                "", "1.graphql:1:9: Cannot query field \"nam\" on type \"Dog\". Did you mean \"name\"?\n",
                "2.graphql:1:8: Syntax Error: Expected Name, found <EOF>.\n",
            ])
    }

    @Test func jsonIsOneLineAFile() async throws {
        let reports = try await reports(["{ dog { name } }", "{ dog }"])
        #expect(
            reports.map { $0.lines(.json) } == [
                "{\"file\":\"0.graphql\",\"errors\":[]}\n",
                #"{"file":"1.graphql","errors":[{"message":"Field \"dog\" of type \"Dog\" must have "#
                    + "a selection of subfields. "
                    + #"Did you mean \"dog { ... }\"?","locations":[{"line":1,"column":3}]}]}"# + "\n",
            ])
    }

    @Test(arguments: ["ScalarLeafs", "ScalarLeafsRule"])
    func aRuleAloneIsChecked(_ rule: String) async throws {
        let reports = try await reports(["{ dog } { nope }"], ["--rule", rule])
        #expect(reports[0].errors.count == 1)
        #expect(reports[0].errors[0].message.contains("must have a selection of subfields"))
    }

    @Test func rulesAdd() async throws {
        let document = "{ dog { old } } { dog { nope } }"
        let flags = ["--rule", "NoDeprecatedCustomRule", "--rule", "LoneAnonymousOperationRule"]
        #expect(try await reports([document], flags)[0].errors.count == 3)
    }

    @Test func introspectionCannotNestForever() async throws {
        let deep = "{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }"
        for flags in [[], ["--rule", "MaxIntrospectionDepthRule"]] {
            #expect(
                try await reports([deep], flags)[0].errors.map(\.message) == ["Maximum introspection depth exceeded"])
        }
    }

    @Test func aRuleThatIsNotThereIsRefused() {
        #expect(throws: (any Error).self) { try Check.parse(["--schema", "s", "--rule", "Nope", "f"]) }
        #expect(throws: (any Error).self) { try Check.parse(["f"]) }
    }

    @Test(arguments: [
        ("type Query {", "schema.graphql:1:13: Syntax Error: Expected Name, found <EOF>.\n"),
        ("type Query { a: Nope }", "schema.graphql:1:17: Unknown type \"Nope\".\n"),
    ])
    func aWrongSchemaIsReportedAlone(_ schema: String, _ line: String) async throws {
        #expect(try await reports(schema: schema, ["{ a }"]).map { $0.lines(.text) } == [line])
    }

    @Test func aFileThatCannotBeReadIsReported() throws {
        let check = try Check.parse(["--schema", "/nowhere/s.graphql", "/nowhere/d.graphql"])
        #expect(
            check.reports().map { $0.lines(.text) } == [
                "/nowhere/s.graphql: /nowhere/s.graphql: The file cannot be read.\n"
            ])
    }

    @Test func aSchemaMayBeInSeveralFiles() async throws {
        try await TemporaryHome.with { directory in
            let texts = ["a": "type Query { a: A }", "b": "type A { b: Int }", "d": "{ a { b } }"]
            for (name, text) in texts {
                try Data(text.utf8).write(to: URL(fileURLWithPath: directory.appending(name).string))
            }
            let path = { (name: String) in directory.appending(name).string }
            let check = try Check.parse(["--schema", path("a"), "--schema", path("b"), path("d")])
            #expect(check.reports().map(\.errors) == [[]])
        }
    }
}
