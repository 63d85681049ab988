import Synchronization

/// The cursor up to which this server has offered the log, for requests that must not wait while changes are offered.
///
/// A sequence lock: readers take no lock and write nothing. A reader that meets a write reads again.
/// Source: Boehm, "Can seqlocks get along with programming language memory models?", 2012
final class PublishedCursor: Sendable {
    private enum Form: Int64 { case absent, plain, withHeld }

    /// Odd while the words are being written.
    private let version = Atomic<UInt64>(0)
    private let form = Atomic<Int64>(Form.absent.rawValue)
    private let epoch = Atomic<Int64>(0)
    private let transaction = Atomic<Int64>(0)
    private let row = Atomic<Int64>(0)
    private let heldTransaction = Atomic<Int64>(0)
    private let heldRow = Atomic<Int64>(0)

    /// Stores the cursor. The caller makes sure that only one writer runs at a time.
    func store(_ cursor: ChangeCursor?) {
        let next = version.load(ordering: .relaxed) + 2
        version.store(next - 1, ordering: .relaxed)
        atomicMemoryFence(ordering: .releasing)
        form.store((cursor.map { $0.held == nil ? Form.plain : .withHeld } ?? .absent).rawValue, ordering: .relaxed)
        epoch.store(cursor?.epoch ?? 0, ordering: .relaxed)
        transaction.store(cursor?.position.transaction ?? 0, ordering: .relaxed)
        row.store(cursor?.position.row ?? 0, ordering: .relaxed)
        heldTransaction.store(cursor?.held?.transaction ?? 0, ordering: .relaxed)
        heldRow.store(cursor?.held?.row ?? 0, ordering: .relaxed)
        version.store(next, ordering: .releasing)
    }

    func load() -> ChangeCursor? {
        while true {
            let before = version.load(ordering: .acquiring)
            let form = Form(rawValue: form.load(ordering: .relaxed))
            let epoch = epoch.load(ordering: .relaxed)
            let position = ChangePosition(
                transaction: transaction.load(ordering: .relaxed), row: row.load(ordering: .relaxed))
            let held = ChangePosition(
                transaction: heldTransaction.load(ordering: .relaxed), row: heldRow.load(ordering: .relaxed))
            atomicMemoryFence(ordering: .acquiring)
            guard before.isMultiple(of: 2), version.load(ordering: .relaxed) == before else { continue }
            switch form {
            case .plain: return ChangeCursor(epoch: epoch, position: position)
            case .withHeld: return ChangeCursor(epoch: epoch, position: position, held: held)
            case .absent, nil: return nil
            }
        }
    }
}
