/// A queue in one array. Removed elements stay in front of `head` until they are more than 64 or the queue is empty.
struct Ring<Element> {
    private var elements: [Element] = []
    private var head = 0

    var count: Int { elements.count - head }
    var isEmpty: Bool { elements.count == head }
    var first: Element? { isEmpty ? nil : elements[head] }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func prepend(_ element: Element) {
        if head == 0 {
            elements.insert(element, at: 0)
        } else {
            head -= 1
            elements[head] = element
        }
    }

    mutating func modifyFirst(_ body: (inout Element) -> Void) {
        if head < elements.count { body(&elements[head]) }
    }

    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let element = elements[head]
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: true)
            head = 0
        } else if head > 64 {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }

    mutating func removeAll() -> [Element] {
        defer {
            elements = []
            head = 0
        }
        return Array(elements[head...])
    }

    func forEach(_ body: (Element) -> Void) {
        for index in head..<elements.count { body(elements[index]) }
    }

    mutating func removeAll(where shouldBeRemoved: (Element) -> Bool) -> [Element] {
        var removed: [Element] = []
        var kept: [Element] = []
        for element in elements[head...] {
            if shouldBeRemoved(element) { removed.append(element) } else { kept.append(element) }
        }
        guard !removed.isEmpty else { return [] }
        elements = kept
        head = 0
        return removed
    }
}
