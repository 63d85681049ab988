import GraphQL
import Postgres

struct FeedFilter: InputObjectDecodable {
    enum Kind: String, InputDecodable, CaseIterable {
        case thought = "THOUGHT"
        case event = "EVENT"
    }

    var kinds: [Kind]?
    var thoughts = PublishedThoughts.Filter()

    init() {}

    init(input: InputObject) throws {
        kinds = try input.decode("kinds")
        thoughts = try PublishedThoughts.Filter(input: input)
    }

    var includesThoughts: Bool { kinds?.contains(.thought) ?? true }
    /// An event has no category.
    var includesEvents: Bool { thoughts.categories == nil && kinds?.contains(.event) ?? true }
}

enum FeedBindings {
    static let types: [Binding] = FeedItem.bindings + ConnectionBindings.of(FeedItem.self, "Feed")

    /// Runs one statement for thoughts and one for events at the same time, each with the bounds of the whole page, and
    /// merges their rows.
    static func query(_ query: inout ObjectFields<Root, RequestContext>) {
        query.load("feed", plan: { AuthorColumns.ofNodes($0) }) { _, author, context in
            let filter = try context.arguments.decode(FeedFilter?.self, "filter") ?? FeedFilter()
            let page = try Page(context.arguments, order: .newest)
            let thoughts =
                filter.includesThoughts
                ? context.context.publishedThoughts(filter.thoughts, page, author) : Pending([])
            let events =
                filter.includesEvents
                ? context.context.start(
                    EventsPage(
                        filter: EventFilter(authorID: filter.thoughts.authorID), page: page, author: author)
                ).pending
                : Pending([])
            return Pending {
                let items = merge(try await thoughts.value(), try await events.value(), page)
                return [page.list(items)]
            }
        }
    }

    private static func merge(_ thoughts: [Thought], _ events: [Event], _ page: Page) -> [FeedItem] {
        var merged: [FeedItem] = []
        merged.reserveCapacity(thoughts.count + events.count)
        var (thought, event) = (thoughts.startIndex, events.startIndex)
        while merged.count < page.limit, thought < thoughts.endIndex || event < events.endIndex {
            let isThought: Bool
            if thought == thoughts.endIndex {
                isThought = false
            } else if event == events.endIndex {
                isThought = true
            } else {
                let left = (thoughts[thought].sortKey(in: .newest), thoughts[thought].id)
                let right = (events[event].sortKey(in: .newest), events[event].id)
                isThought = page.isBackward ? left < right : left > right
            }
            if isThought {
                merged.append(.thought(thoughts[thought]))
                thought += 1
            } else {
                merged.append(.event(events[event]))
                event += 1
            }
        }
        return merged
    }
}
