/// The values that mutations on thoughts take.
package enum WrittenThought {
    package static let categories = Set(ThoughtCategory.allCases.map(\.rawValue))

    package static let stars = RateThought.stars
}
