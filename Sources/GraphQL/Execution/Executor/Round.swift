extension Execution {
    typealias Outcome = Result<CompletedColumn, any Error>

    /// Resolves the fields that suspend of a whole frontier: all loads are sent before the first is awaited, so a round
    /// costs one round trip. Outcomes come in the order of the fields.
    func resolveTogether(_ round: [Unresolved]) async -> [Outcome] {
        var outcomes = [Outcome?](repeating: nil, count: round.count)
        var started: [(index: Int, pending: Pending<CompletedColumn>)] = []
        var batches: [(index: Int, run: @Sendable () async throws -> CompletedColumn)] = []
        for (index, unresolved) in round.enumerated() {
            let field = unresolved.field
            switch (input(of: field), field.resolution) {
            case (.failure(let error), _): outcomes[index] = .failure(error)
            case (.success(let context), .load(let start)):
                do {
                    started.append((index, try start(unresolved.objects.column, context)))
                } catch {
                    outcomes[index] = .failure(error)
                }
            case (.success(let context), .batch(let run)):
                let column = unresolved.objects.column
                batches.append((index, { try await run(column, context) }))
            case (.success, _): continue
            }
        }
        if batches.count == 1 {
            let batch = batches[0]
            outcomes[batch.index] = await outcome(of: batch.run)
        } else if !batches.isEmpty {
            for (index, outcome) in await runConcurrently(batches) { outcomes[index] = outcome }
        }
        for (index, pending) in started { outcomes[index] = await outcome(of: pending.value) }
        return outcomes.map { $0 ?? .failure(CancellationError()) }
    }
}

private func outcome(of run: @Sendable () async throws -> CompletedColumn) async -> Execution.Outcome {
    do {
        return .success(try await run())
    } catch {
        return .failure(error)
    }
}

private func runConcurrently(
    _ batches: [(index: Int, run: @Sendable () async throws -> CompletedColumn)]
) async -> [(Int, Execution.Outcome)] {
    await withTaskGroup(of: (Int, Execution.Outcome).self) { group in
        for batch in batches { group.addTask { (batch.index, await outcome(of: batch.run)) } }
        var outcomes: [(Int, Execution.Outcome)] = []
        for await outcome in group { outcomes.append(outcome) }
        return outcomes
    }
}
