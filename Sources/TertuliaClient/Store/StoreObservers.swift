/// The observers of a store, which it wakes after changes. A wake-up that was not taken yet stands for all later ones.
actor StoreObservers {
    struct Observer: Sendable {
        let id: Int
        /// Begins with one wake-up, for the first read.
        let wakeUps: AsyncStream<Void>
    }

    private struct Watch {
        /// nil while a read is under way, which may look up anything.
        var keys: Set<String>?
        let continuation: AsyncStream<Void>.Continuation
    }

    private var watches: [Int: Watch] = [:]
    /// How many observers show a list or a root field, by its name.
    private var shownNames: [String: Int] = [:]
    private var lastID = 0
    private var hasFinished = false

    func add() -> Observer {
        lastID += 1
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield()
        if hasFinished {
            continuation.finish()
        } else {
            watches[lastID] = Watch(keys: nil, continuation: continuation)
        }
        return Observer(id: lastID, wakeUps: stream)
    }

    /// Watches everything until ``watch(_:_:)``, since a read may look up anything.
    func beginRead(_ id: Int) { watches[id]?.keys = nil }

    func watch(_ keys: Set<String>, _ id: Int) { watches[id]?.keys = keys }

    /// What is shown, and must not be forgotten.
    var shown: (names: Set<String>, keys: Set<String>) {
        (Set(shownNames.keys), watches.values.reduce(into: []) { $0.formUnion($1.keys ?? []) })
    }

    func show(_ names: [String]) { for name in names { shownNames[name, default: 0] += 1 } }

    func hide(_ names: [String]) {
        for name in names {
            shownNames[name, default: 0] -= 1
            if shownNames[name] == 0 { shownNames[name] = nil }
        }
    }

    func remove(_ id: Int) { watches.removeValue(forKey: id)?.continuation.finish() }

    /// Ends all observations: the account is no longer the one that is shown.
    func finish() {
        hasFinished = true
        for watch in watches.values { watch.continuation.finish() }
        watches = [:]
    }

    func notify(_ changed: Set<String>) {
        for watch in watches.values where watch.keys.map({ !$0.isDisjoint(with: changed) }) ?? true {
            watch.continuation.yield()
        }
    }
}
