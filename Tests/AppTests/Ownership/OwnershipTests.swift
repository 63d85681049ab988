import Testing

@testable import App

/// Everyone tries every mutation on everyone's objects. The statements' own checks and the policies each have to refuse
/// alone what is not the viewer's: the same matrix runs with the policies and without them.
@Suite struct OwnershipTests {
    @Test(arguments: [true, false]) func nobodyChangesWhatIsAnothers(arePoliciesOn: Bool) async throws {
        let world = try await World.make()
        try await world.execute(script: OwnershipMatrix.script + (arePoliciesOn ? "" : Policies.off))
        for row in OwnershipMatrix.cases {
            for person in Person.allCases.reversed() {
                let expected = try #require(row.expected[person])
                try await check(row, person, expected, in: world)
                guard expected == .data else { continue }
                try await world.reset()
                try await world.execute(script: OwnershipMatrix.script)
            }
        }
        await world.shutdown()
    }

    private func check(_ row: OwnershipCase, _ person: Person, _ expected: Outcome, in world: World) async throws {
        let before = try await Truth(of: world)
        let answer = try Answer(await world.run(row.document, row.variables, as: person))
        let after = try await Truth(of: world)
        #expect(outcome(answer) == expected, "\(row), \(person): \(answer.text)")
        guard expected == .data, let viewer = person.viewer else {
            #expect(before == after, "\(row), \(person): refused, and yet something changed.")
            return
        }
        let isConcerned = { (line: String) in
            // A session ends with the push devices that it registered.
            !row.endsSessions || !["sessions ", "revoked ", "push_devices "].contains { line.hasPrefix($0) }
        }
        let others = before.rows(ofOthersThan: viewer.userID).filter(isConcerned)
        let othersAfter = after.rows(ofOthersThan: viewer.userID).filter(isConcerned)
        #expect(othersAfter.subtracting(others) == [], "\(row), \(person): changed what belongs to others.")
        let target = row.target.map { worldUUID($0).description } ?? "nothing"
        let removed = others.subtracting(othersAfter)
        #expect(removed.allSatisfy { $0.contains(target) }, "\(row), \(person): removed others' rows.")
        #expect(!after.lines.contains { $0.row.contains("\"id\": \"\(target)\"") }, "\(row), \(person): still there.")
    }

    private func outcome(_ answer: Answer) -> Outcome {
        if let code = answer.code { return .refused(code, reason: answer.reason) }
        return answer.userErrors.first.map { .userError($0) } ?? .data
    }

    @Test func everyMutationHasARow() throws {
        let schema = try OperationRunner.schema.get().schema
        let fields = try schema[#require(schema.mutationType)].fields.map(\.name)
        let covered = Set(OwnershipMatrix.cases.map(\.mutation)).union(OwnershipMatrix.exempt)
        #expect(Set(fields).subtracting(covered) == [], "Add them to the ownership matrix.")
        #expect(covered.subtracting(fields) == [], "These are no mutations any more.")
    }
}

enum Policies {
    /// For tests of what the statements refuse by themselves.
    static let off = """
        do $$
        declare
          name regclass;
        begin
          for name in select oid from pg_class where relnamespace = 'public'::regnamespace and relrowsecurity loop
            execute format('alter table %s no force row level security, disable row level security', name);
          end loop;
        end
        $$;
        """
}
