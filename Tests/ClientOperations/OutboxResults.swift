import TertuliaClient
import TestSupport

extension Outbox {
    /// The result of an entry. Throws `NeverHappened` if the entry still waits after the deadline.
    public nonisolated func resultInTime(
        of id: String, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> OutboxResult {
        try await withDeadline("the result of entry \(id)", fileID: fileID, line: line) {
            try await self.result(of: id)
        }
    }
}
