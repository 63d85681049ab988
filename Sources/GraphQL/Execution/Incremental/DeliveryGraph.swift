/// A state machine of the fragments and lists that the client waits for. Written parts go in; payloads come out that
/// announce, deliver and complete.
/// Spec: incremental delivery, 6.4 Incremental Publisher
struct DeliveryGraph {
    let format: IncrementalFormat
    /// The payload to send next.
    private(set) var payload = IncrementalPayload()
    /// Deliveries that the client waits for; those before `nextDue` were taken.
    private var due: [Delivery] = []
    private var nextDue = 0
    private var idCount = 0
    /// The number of results that are announced and not complete.
    private var announced = 0
    private let linked = LinkedFragments()

    init(_ format: IncrementalFormat) { self.format = format }

    var hasNext: Bool { announced > 0 }

    mutating func takePayload() -> IncrementalPayload {
        defer { payload = IncrementalPayload() }
        return payload
    }

    /// The next delivery that the client waits for and that was not written.
    mutating func takeDue() -> Delivery? {
        while nextDue < due.count {
            defer { nextDue += 1 }
            switch due[nextDue] {
            case .part(let part) where !part.isWaiting || !part.fragments.contains(where: { $0.state == .announced }):
                continue
            case let delivery: return delivery
            }
        }
        due.removeAll(keepingCapacity: true)
        nextDue = 0
        return nil
    }

    mutating func add(due deliveries: [Delivery]) { due += deliveries }

    // MARK: - Announcing

    /// Takes deliveries that were found while a response or a part was written.
    /// - Parameter fragments: the fragments in whose fields they were found; empty for the first response and for
    ///   streamed items.
    mutating func add(_ later: [Delivery], in fragments: [DeferredFragment] = []) {
        var roots: [PendingResult] = []
        for delivery in later {
            switch delivery {
            case .part(let part):
                for fragment in part.fragments {
                    fragment.parts.append(part)
                    fragment.waitingParts += 1
                    link(fragment, &roots)
                }
                // Otherwise the part becomes due when one of its fragments is announced.
                if part.fragments.contains(where: { $0.state == .announced }) { due.append(delivery) }
            case .stream(let stream):
                if fragments.isEmpty { roots.append(stream) }
                for fragment in fragments { fragment.children.append(stream) }
            }
        }
        announce(roots)
    }

    private func link(_ fragment: DeferredFragment, _ roots: inout [PendingResult]) {
        var fragment = fragment
        while !fragment.isLinked {
            fragment.isLinked = true
            linked.fragments.append(fragment)
            guard let parent = fragment.parent, parent.state == .waiting || parent.state == .announced else {
                if fragment.parent?.state != .failed { roots.append(fragment) }
                return
            }
            parent.children.append(fragment)
            fragment = parent
        }
    }

    /// Announces results. The children of a fragment that has nothing of its own to deliver are announced in its place.
    private mutating func announce(_ results: [PendingResult]) {
        var results = results
        var next = 0
        while next < results.count {
            defer { next += 1 }
            if results[next].id != nil { continue }
            guard let fragment = results[next] as? DeferredFragment else {
                if let stream = results[next] as? StreamedList {
                    identify(stream)
                    due.append(.stream(stream))
                }
                continue
            }
            guard fragment.state == .waiting else { continue }
            if fragment.parts.contains(where: { $0.isUndelivered }) {
                fragment.state = .announced
                identify(fragment)
                due += fragment.parts.map(Delivery.part)
                completeIfDone(fragment)
            } else {
                fragment.state = .passed
                results += fragment.children
            }
        }
    }

    private mutating func identify(_ result: PendingResult) {
        result.id = idCount
        idCount += 1
        announced += 1
        payload.pending.append(result)
    }

    // MARK: - Delivering

    mutating func wrote(_ part: DeferredPart, _ written: WrittenPart) {
        if written.bytes == nil { return failed(part, written.errors) }
        part.state = .written(written)
        add(written.later, in: part.fragments)
        for fragment in part.fragments { fragment.waitingParts -= 1 }
        for fragment in part.fragments { completeIfDone(fragment) }
    }

    /// Fails all fragments of a part that an error has left without data.
    private mutating func failed(_ part: DeferredPart, _ errors: [GraphQLError]) {
        part.state = .failed
        for fragment in part.fragments {
            fragment.waitingParts -= 1
            if fragment.state == .announced {
                announced -= 1
                payload.completed.append(Completion(result: fragment, errors: errors))
            }
            if fragment.state == .announced || fragment.state == .waiting { fragment.state = .failed }
        }
    }

    private mutating func completeIfDone(_ fragment: DeferredFragment) {
        guard fragment.state == .announced, fragment.waitingParts == 0 else { return }
        for part in fragment.parts {
            guard case .written(let written) = part.state else { continue }
            part.state = .delivered
            payload.incremental.append(
                .part(written, of: longestAnnounced(part) ?? fragment, path: part.path))
        }
        fragment.state = .completed
        announced -= 1
        payload.completed.append(Completion(result: fragment, errors: []))
        announce(fragment.children)
    }

    /// The announced fragment with the longest path, for which the part's `subPath` is the shortest.
    private func longestAnnounced(_ part: DeferredPart) -> DeferredFragment? {
        var longest: DeferredFragment?
        for fragment in part.fragments where fragment.state == .announced {
            if let known = longest, known.path.count >= fragment.path.count { continue }
            longest = fragment
        }
        return longest
    }

    mutating func wrote(_ stream: StreamedList, _ written: WrittenPart) {
        if written.bytes != nil { payload.incremental.append(.items(written, of: stream)) }
        announced -= 1
        payload.completed.append(Completion(result: stream, errors: written.failure))
        add(written.later)
    }
}

/// The fragments that have parts or children, shared by the copies of a graph. A fragment refers to its parts and
/// children, and these refer to the fragment. The release of the last copy removes the references of the fragments, so a
/// response that ends early is released too.
private final class LinkedFragments {
    var fragments: [DeferredFragment] = []

    deinit {
        for fragment in fragments {
            fragment.parts = []
            fragment.children = []
        }
    }
}

extension DeferredPart {
    fileprivate var isUndelivered: Bool {
        switch state {
        case .waiting, .written: true
        case .delivered, .failed: false
        }
    }
}
