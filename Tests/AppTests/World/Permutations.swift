/// All orders of the elements.
func permutations<Element>(of elements: [Element]) -> [[Element]] {
    guard elements.count > 1 else { return [elements] }
    return elements.indices.flatMap { first in
        var rest = elements
        let element = rest.remove(at: first)
        return permutations(of: rest).map { [element] + $0 }
    }
}
