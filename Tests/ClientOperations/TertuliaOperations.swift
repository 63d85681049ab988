// Written by tertulia-generate. Changes are lost: change the documents.
// swift-format-ignore-file

import Foundation
import TertuliaClient

/// The feed, kept up to date.
public struct FeedQuery: QueryOperation {
    public static let name = "Feed"
    public static let documentID = "c2d120f1ab371e434b46251ef8e5edc2fc9b11ec545517cfddaea095a291ca90"
    public static let document = #"""
        "The feed, kept up to date."
        query Feed($filter: FeedFilter, $first: Int, $after: String) {
          changeCursor
          feed(filter: $filter, first: $first, after: $after) {
            __typename
            edges {
              __typename
              cursor
              node {
                __typename
                id
                ...FeedRow
              }
            }
            pageInfo {
              __typename
              hasNextPage
              endCursor
            }
          }
        }

        "A row of the feed."
        fragment FeedRow on FeedItem {
          __typename
          id
          createdAt
          author {
            __typename
            id
            ...Person
          }
          ... on Thought {
            text
            category
            likeCount
            viewerHasLiked
          }
          ... on Event {
            name
            location
          }
        }

        fragment Person on User {
          __typename
          id
          username
          displayName
        }
        """#

    public var filter: Given<FeedFilter>
    public var first: Given<Int>
    public var after: Given<String>

    public init(
        filter: Given<FeedFilter> = .absent,
        first: Given<Int> = .absent,
        after: Given<String> = .absent
    ) {
        self.filter = filter
        self.first = first
        self.after = after
    }

    public var variableFields: [InputField] {
        [
            InputField("filter", filter),
            InputField("first", first),
            InputField("after", after),
        ]
    }

    public struct Data: SelectedObject {
        /// A position of the change log from before anything in this response was read: a subscription opened `after` it misses no later change. The response may show changes that are past it, the viewer's own acknowledged writes included; these come again.
        public var changeCursor: String?
        /// Published thoughts and events, newest first.
        public var feed: Feed?

        public static let selection = SelectionSet([
            .field("changeCursor"),
            .field("feed", arguments: [("filter", .variable("filter")), ("first", .variable("first")), ("after", .variable("after"))], Feed.selection),
        ])

        public init(_ object: ObjectReader) throws(UnreadableResponse) {
            self.changeCursor = try object.read("changeCursor")
            self.feed = try object.read("feed")
        }

        public struct Feed: SelectedObject {
            /// The items, each with its cursor.
            public var edges: [Edges]
            /// Where the page lies in the list.
            public var pageInfo: PageInfo

            public static let selection = SelectionSet([
                .field("__typename"),
                .field("edges", Edges.selection),
                .field("pageInfo", PageInfo.selection),
            ])

            public init(_ object: ObjectReader) throws(UnreadableResponse) {
                self.edges = try object.read("edges")
                self.pageInfo = try object.read("pageInfo")
            }

            public struct Edges: SelectedObject {
                /// Where the item stands in the list, for `after` and `before`.
                public var cursor: String
                /// The item; null where it went meanwhile.
                public var node: Node?

                public static let selection = SelectionSet([
                    .field("__typename"),
                    .field("cursor"),
                    .field("node", Node.selection),
                ])

                public init(_ object: ObjectReader) throws(UnreadableResponse) {
                    self.cursor = try object.read("cursor")
                    self.node = try object.read("node")
                }

                public struct Node: SelectedObject {
                    public var feedRow: FeedRow

                    public static let selection = SelectionSet([
                        .field("__typename"),
                        .field("id"),
                        .always(FeedRow.selection),
                    ])

                    public init(_ object: ObjectReader) throws(UnreadableResponse) {
                        self.feedRow = try FeedRow(object)
                    }
                }
            }

            public struct PageInfo: SelectedObject {
                /// Whether there are items after this page.
                public var hasNextPage: Bool
                /// The cursor of the last item of this page; null where there is none.
                public var endCursor: String?

                public static let selection = SelectionSet([
                    .field("__typename"),
                    .field("hasNextPage"),
                    .field("endCursor"),
                ])

                public init(_ object: ObjectReader) throws(UnreadableResponse) {
                    self.hasNextPage = try object.read("hasNextPage")
                    self.endCursor = try object.read("endCursor")
                }
            }
        }
    }
}

public struct FeedChangesSubscription: SubscriptionOperation {
    public static let name = "FeedChanges"
    public static let documentID = "d955ae64e38717f291163eade53e8a91d0f9a84e23fa1008deccf8cfe14965d0"
    public static let document = #"""
        subscription FeedChanges($filter: FeedFilter, $after: String) {
          feedChanges(filter: $filter, after: $after) {
            __typename
            kind
            nodeId
            cursor
            node {
              __typename
              id
              ...FeedRow
            }
          }
        }

        "A row of the feed."
        fragment FeedRow on FeedItem {
          __typename
          id
          createdAt
          author {
            __typename
            id
            ...Person
          }
          ... on Thought {
            text
            category
            likeCount
            viewerHasLiked
          }
          ... on Event {
            name
            location
          }
        }

        fragment Person on User {
          __typename
          id
          username
          displayName
        }
        """#

    public var filter: Given<FeedFilter>
    public var after: Given<String>

    public init(
        filter: Given<FeedFilter> = .absent,
        after: Given<String> = .absent
    ) {
        self.filter = filter
        self.after = after
    }

    public var variableFields: [InputField] {
        [
            InputField("filter", filter),
            InputField("after", after),
        ]
    }

    public struct Data: SelectedObject {
        /// Published thoughts and events that match the filter.
        public var feedChanges: FeedChanges

        public static let selection = SelectionSet([
            .field("feedChanges", arguments: [("filter", .variable("filter")), ("after", .variable("after"))], FeedChanges.selection),
        ])

        public init(_ object: ObjectReader) throws(UnreadableResponse) {
            self.feedChanges = try object.read("feedChanges")
        }

        public struct FeedChanges: SelectedObject {
            /// What became of the object.
            public var kind: ChangeKind
            /// The id of the object.
            public var nodeId: String
            /// The place of the change in the log: a subscription `after` it gets what follows.
            public var cursor: String
            /// The object as the viewer sees it now; null with REMOVED.
            public var node: Node?

            public static let selection = SelectionSet([
                .field("__typename"),
                .field("kind"),
                .field("nodeId"),
                .field("cursor"),
                .field("node", Node.selection),
            ])

            public init(_ object: ObjectReader) throws(UnreadableResponse) {
                self.kind = try object.read("kind")
                self.nodeId = try object.read("nodeId")
                self.cursor = try object.read("cursor")
                self.node = try object.read("node")
            }

            public struct Node: SelectedObject {
                public var feedRow: FeedRow

                public static let selection = SelectionSet([
                    .field("__typename"),
                    .field("id"),
                    .always(FeedRow.selection),
                ])

                public init(_ object: ObjectReader) throws(UnreadableResponse) {
                    self.feedRow = try FeedRow(object)
                }
            }
        }
    }
}

public struct OneThoughtQuery: QueryOperation {
    public static let name = "OneThought"
    public static let documentID = "fcb8ea02fe2ee59f7e9e83e5407d4e34b07b95a683cba5917c796e6bbae48e6c"
    public static let document = #"""
        query OneThought($id: ID!, $withComments: Boolean! = false) {
          thought(id: $id) {
            __typename
            id
            text
            likeCount
            viewerHasLiked
            rating {
              __typename
              average
              count
            }
            author {
              __typename
              id
              ...Person
            }
            comments(first: 5) @include(if: $withComments) {
              __typename
              nodes {
                __typename
                id
                text
                author {
                  __typename
                  id
                  username
                }
              }
            }
          }
        }

        fragment Person on User {
          __typename
          id
          username
          displayName
        }
        """#

    public var id: String
    public var withComments: Bool

    public init(
        id: String,
        withComments: Bool = false
    ) {
        self.id = id
        self.withComments = withComments
    }

    public var variableFields: [InputField] {
        [
            InputField("id", id),
            InputField("withComments", withComments),
        ]
    }

    public struct Data: SelectedObject {
        /// A thought, by its id.
        public var thought: Thought?

        public static let selection = SelectionSet([
            .field("thought", arguments: [("id", .variable("id"))], Thought.selection),
        ])

        public init(_ object: ObjectReader) throws(UnreadableResponse) {
            self.thought = try object.read("thought")
        }

        public struct Thought: SelectedObject {
            /// 2,000 characters at most.
            public var text: String
            /// Like all counters but shareCount, it leaves out what deleted accounts did.
            public var likeCount: Int
            /// Whether the viewer likes it; false without a session.
            public var viewerHasLiked: Bool
            /// What people think of it.
            public var rating: Rating
            /// Who wrote it.
            public var author: Author
            /// Oldest first.
            public var comments: Comments?

            public static let selection = SelectionSet([
                .field("__typename"),
                .field("id"),
                .field("text"),
                .field("likeCount"),
                .field("viewerHasLiked"),
                .field("rating", Rating.selection),
                .field("author", Author.selection),
                .conditional([[.include("withComments")]], .field("comments", arguments: [("first", .int(5))], Comments.selection)),
            ])

            public init(_ object: ObjectReader) throws(UnreadableResponse) {
                self.text = try object.read("text")
                self.likeCount = try object.read("likeCount")
                self.viewerHasLiked = try object.read("viewerHasLiked")
                self.rating = try object.read("rating")
                self.author = try object.read("author")
                self.comments = try object.read("comments")
            }

            public struct Rating: SelectedObject {
                /// Null while nobody has rated.
                public var average: Double?
                /// How many have rated.
                public var count: Int

                public static let selection = SelectionSet([
                    .field("__typename"),
                    .field("average"),
                    .field("count"),
                ])

                public init(_ object: ObjectReader) throws(UnreadableResponse) {
                    self.average = try object.read("average")
                    self.count = try object.read("count")
                }
            }

            public struct Author: SelectedObject {
                public var person: Person

                public static let selection = SelectionSet([
                    .field("__typename"),
                    .field("id"),
                    .always(Person.selection),
                ])

                public init(_ object: ObjectReader) throws(UnreadableResponse) {
                    self.person = try Person(object)
                }
            }

            public struct Comments: SelectedObject {
                /// The items; null for one that went meanwhile.
                public var nodes: [Nodes?]

                public static let selection = SelectionSet([
                    .field("__typename"),
                    .field("nodes", Nodes.selection),
                ])

                public init(_ object: ObjectReader) throws(UnreadableResponse) {
                    self.nodes = try object.read("nodes")
                }

                public struct Nodes: SelectedObject {
                    /// 1,000 characters at most.
                    public var text: String
                    /// Who wrote it.
                    public var author: Author

                    public static let selection = SelectionSet([
                        .field("__typename"),
                        .field("id"),
                        .field("text"),
                        .field("author", Author.selection),
                    ])

                    public init(_ object: ObjectReader) throws(UnreadableResponse) {
                        self.text = try object.read("text")
                        self.author = try object.read("author")
                    }

                    public struct Author: SelectedObject {
                        /// Null until one is chosen, as for an anonymous account.
                        public var username: String?

                        public static let selection = SelectionSet([
                            .field("__typename"),
                            .field("id"),
                            .field("username"),
                        ])

                        public init(_ object: ObjectReader) throws(UnreadableResponse) {
                            self.username = try object.read("username")
                        }
                    }
                }
            }
        }
    }
}

public struct SearchQuery: QueryOperation {
    public static let name = "Search"
    public static let documentID = "a7c640aa93c6ac5f912d5c28cbfbcf85576db54a366ae167970fce38a00cc854"
    public static let document = #"""
        query Search($text: String!) {
          search(query: $text, first: 3) {
            __typename
            nodes {
              ... on Thought {
                id
              }
              ... on Event {
                id
              }
              ... on User {
                id
              }
              __typename
              ... on Thought {
                text
              }
              ... on User {
                name: displayName
              }
              ... on Event {
                ...FeedRow
              }
            }
          }
        }

        "A row of the feed."
        fragment FeedRow on FeedItem {
          __typename
          id
          createdAt
          author {
            __typename
            id
            ...Person
          }
          ... on Thought {
            text
            category
            likeCount
            viewerHasLiked
          }
          ... on Event {
            name
            location
          }
        }

        fragment Person on User {
          __typename
          id
          username
          displayName
        }
        """#

    public var text: String

    public init(
        text: String
    ) {
        self.text = text
    }

    public var variableFields: [InputField] {
        [
            InputField("text", text),
        ]
    }

    public struct Data: SelectedObject {
        /// Full-text search in published thoughts, events and people, best match first. Every word must occur; the last one may be the
        /// beginning of a word. Where that finds fewer than ten, every word of three letters or more may be the beginning of one. Where
        /// that finds fewer than ten, too, a word of five letters or more may have one letter too many, missing, wrong, or swapped with
        /// its neighbour. Case, accents and the marks of Arabic and Hebrew do not matter. Letters such as ß, ł, ø, đ and ı are found
        /// by plain ones, and the other way round: "lodz" finds "Łódź". Chinese, Japanese, Korean, Thai, Lao, Burmese and Khmer are
        /// found by any two neighbouring characters. "C++", "C#" and emoji are words.
        public var search: Search?

        public static let selection = SelectionSet([
            .field("search", arguments: [("query", .variable("text")), ("first", .int(3))], Search.selection),
        ])

        public init(_ object: ObjectReader) throws(UnreadableResponse) {
            self.search = try object.read("search")
        }

        public struct Search: SelectedObject {
            /// The items; null for one that went meanwhile.
            public var nodes: [Nodes?]

            public static let selection = SelectionSet([
                .field("__typename"),
                .field("nodes", Nodes.selection),
            ])

            public init(_ object: ObjectReader) throws(UnreadableResponse) {
                self.nodes = try object.read("nodes")
            }

            public struct Nodes: SelectedObject {
                public var asThought: AsThought?
                public var asEvent: AsEvent?
                public var asUser: AsUser?
                public var typename: String

                public static let selection = SelectionSet([
                    .on(["Thought"], AsThought.selection),
                    .on(["Event"], AsEvent.selection),
                    .on(["User"], AsUser.selection),
                    .field("__typename"),
                ])

                public init(_ object: ObjectReader) throws(UnreadableResponse) {
                    self.asThought = try object.isOne(of: ["Thought"]) ? AsThought(object) : nil
                    self.asEvent = try object.isOne(of: ["Event"]) ? AsEvent(object) : nil
                    self.asUser = try object.isOne(of: ["User"]) ? AsUser(object) : nil
                    self.typename = try object.read("__typename")
                }

                public struct AsThought: SelectedObject {
                    /// 2,000 characters at most.
                    public var text: String

                    public static let selection = SelectionSet([
                        .field("id"),
                        .field("text"),
                    ])

                    public init(_ object: ObjectReader) throws(UnreadableResponse) {
                        self.text = try object.read("text")
                    }
                }

                public struct AsEvent: SelectedObject {
                    public var feedRow: FeedRow

                    public static let selection = SelectionSet([
                        .field("id"),
                        .always(FeedRow.selection),
                    ])

                    public init(_ object: ObjectReader) throws(UnreadableResponse) {
                        self.feedRow = try FeedRow(object)
                    }
                }

                public struct AsUser: SelectedObject {
                    /// The full name; never empty: a generated name until one is chosen.
                    public var name: String

                    public static let selection = SelectionSet([
                        .field("id"),
                        .field("displayName", alias: "name"),
                    ])

                    public init(_ object: ObjectReader) throws(UnreadableResponse) {
                        self.name = try object.read("name")
                    }
                }
            }
        }
    }
}

public struct LaterQuery: QueryOperation {
    public static let name = "Later"
    public static let documentID = "1bb3b00bb8e8328b59c2e6bd14fe79c31d86ec43269e61270e764eaabfefdfdd"
    public static let document = #"""
        query Later($id: ID!) {
          thought(id: $id) {
            __typename
            id
            text
            ... @defer(label: "counts") {
              likeCount
              commentCount
            }
            ...Stars @defer
          }
        }

        fragment Stars on Thought {
          __typename
          id
          rating {
            __typename
            average
          }
          viewerRating
        }
        """#

    public var id: String

    public init(
        id: String
    ) {
        self.id = id
    }

    public var variableFields: [InputField] {
        [
            InputField("id", id),
        ]
    }

    public struct Data: SelectedObject {
        /// A thought, by its id.
        public var thought: Thought?

        public static let selection = SelectionSet([
            .field("thought", arguments: [("id", .variable("id"))], Thought.selection),
        ])

        public init(_ object: ObjectReader) throws(UnreadableResponse) {
            self.thought = try object.read("thought")
        }

        public struct Thought: SelectedObject {
            /// 2,000 characters at most.
            public var text: String
            public var counts: Counts?
            public var stars: Stars?

            public static let selection = SelectionSet([
                .field("__typename"),
                .field("id"),
                .field("text"),
                .deferred(.always(Counts.selection)),
                .deferred(.always(Stars.selection)),
            ])

            public init(_ object: ObjectReader) throws(UnreadableResponse) {
                self.text = try object.read("text")
                self.counts = try object.has(["likeCount", "commentCount"]) ? Counts(object) : nil
                self.stars = try object.has(["rating", "viewerRating"]) ? Stars(object) : nil
            }

            public struct Counts: SelectedObject {
                /// Like all counters but shareCount, it leaves out what deleted accounts did.
                public var likeCount: Int
                /// How many comments it has.
                public var commentCount: Int

                public static let selection = SelectionSet([
                    .field("likeCount"),
                    .field("commentCount"),
                ])

                public init(_ object: ObjectReader) throws(UnreadableResponse) {
                    self.likeCount = try object.read("likeCount")
                    self.commentCount = try object.read("commentCount")
                }
            }
        }
    }
}

public struct MissedQuery: QueryOperation {
    public static let name = "Missed"
    public static let documentID = "8b5f813ce8cb6aad5cc27586197ce3042678f49690cc25756a4de072d8d60d8c"
    public static let document = #"""
        query Missed($after: String!, $scopes: [ChangeScope!]!) {
          changes(after: $after, scopes: $scopes) {
            __typename
            nodes {
              __typename
              kind
              nodeId
            }
          }
        }
        """#

    public var after: String
    public var scopes: [ChangeScope]

    public init(
        after: String,
        scopes: [ChangeScope]
    ) {
        self.after = after
        self.scopes = scopes
    }

    public var variableFields: [InputField] {
        [
            InputField("after", after),
            InputField("scopes", scopes),
        ]
    }

    public struct Data: SelectedObject {
        /// All that changed after a cursor in these scopes, for a client that was offline: in order of commit, as the subscriptions would have sent it. Every write that was acknowledged before the request is among it, the viewer's own included: the list waits up to one second for older transactions that still run, and then has what can be read, with `hasNextPage: true`. By default the first 20, at most 100.
        public var changes: Changes?

        public static let selection = SelectionSet([
            .field("changes", arguments: [("after", .variable("after")), ("scopes", .variable("scopes"))], Changes.selection),
        ])

        public init(_ object: ObjectReader) throws(UnreadableResponse) {
            self.changes = try object.read("changes")
        }

        public struct Changes: SelectedObject {
            /// The items; null for one that went meanwhile.
            public var nodes: [Nodes?]

            public static let selection = SelectionSet([
                .field("__typename"),
                .field("nodes", Nodes.selection),
            ])

            public init(_ object: ObjectReader) throws(UnreadableResponse) {
                self.nodes = try object.read("nodes")
            }

            public struct Nodes: SelectedObject {
                /// What became of the object.
                public var kind: ChangeKind
                /// The id of the object.
                public var nodeId: String

                public static let selection = SelectionSet([
                    .field("__typename"),
                    .field("kind"),
                    .field("nodeId"),
                ])

                public init(_ object: ObjectReader) throws(UnreadableResponse) {
                    self.kind = try object.read("kind")
                    self.nodeId = try object.read("nodeId")
                }
            }
        }
    }
}

public struct CreateThoughtMutation: MutationOperation {
    public static let name = "CreateThought"
    public static let documentID = "4f8d64038ad5ee9757509b64ba1695a52ab9557b0325a327ec527bc5a3d2d424"
    public static let document = #"""
        mutation CreateThought($input: CreateThoughtInput!, $image: Upload) {
          createThought(input: $input, image: $image) {
            __typename
            thought {
              __typename
              id
              ...FeedRow
              status
            }
            userErrors {
              __typename
              code
              message
              field
            }
          }
        }

        "A row of the feed."
        fragment FeedRow on FeedItem {
          __typename
          id
          createdAt
          author {
            __typename
            id
            ...Person
          }
          ... on Thought {
            text
            category
            likeCount
            viewerHasLiked
          }
          ... on Event {
            name
            location
          }
        }

        fragment Person on User {
          __typename
          id
          username
          displayName
        }
        """#

    public var input: CreateThoughtInput
    public var image: Given<UploadFile>

    public init(
        input: CreateThoughtInput,
        image: Given<UploadFile> = .absent
    ) {
        self.input = input
        self.image = image
    }

    public var variableFields: [InputField] {
        [
            InputField("input", input),
            InputField("image", image),
        ]
    }

    public struct Data: SelectedObject {
        /// With `image`, the file and the thought are stored together or not at all; it takes the place of input.imageId.
        public var createThought: CreateThought?

        public static let selection = SelectionSet([
            .field("createThought", arguments: [("input", .variable("input")), ("image", .variable("image"))], CreateThought.selection),
        ])

        public init(_ object: ObjectReader) throws(UnreadableResponse) {
            self.createThought = try object.read("createThought")
        }

        public struct CreateThought: SelectedObject {
            /// The thought, as it is now.
            public var thought: Thought?
            /// What a person can mend; empty where the mutation succeeded.
            public var userErrors: [UserErrors]

            public static let selection = SelectionSet([
                .field("__typename"),
                .field("thought", Thought.selection),
                .field("userErrors", UserErrors.selection),
            ])

            public init(_ object: ObjectReader) throws(UnreadableResponse) {
                self.thought = try object.read("thought")
                self.userErrors = try object.read("userErrors")
            }

            public struct Thought: SelectedObject {
                public var feedRow: FeedRow
                /// Who sees it.
                public var status: ThoughtStatus

                public static let selection = SelectionSet([
                    .field("__typename"),
                    .field("id"),
                    .always(FeedRow.selection),
                    .field("status"),
                ])

                public init(_ object: ObjectReader) throws(UnreadableResponse) {
                    self.feedRow = try FeedRow(object)
                    self.status = try object.read("status")
                }
            }

            public struct UserErrors: SelectedObject {
                /// The kind of the fault.
                public var code: UserErrorCode
                /// A sentence for a person.
                public var message: String
                /// The path of the input's field, such as ["input", "email"].
                public var field: [String]?

                public static let selection = SelectionSet([
                    .field("__typename"),
                    .field("code"),
                    .field("message"),
                    .field("field"),
                ])

                public init(_ object: ObjectReader) throws(UnreadableResponse) {
                    self.code = try object.read("code")
                    self.message = try object.read("message")
                    self.field = try object.read("field")
                }
            }
        }
    }
}

public struct LikeThoughtMutation: MutationOperation {
    public static let name = "LikeThought"
    public static let documentID = "b241f8153a77b8579ea88f77d52b3b66986d6e1620910a29c9cdc18307aeee4f"
    public static let document = #"""
        mutation LikeThought($input: LikeThoughtInput!) {
          likeThought(input: $input) {
            __typename
            thought {
              __typename
              id
              likeCount
              viewerHasLiked
            }
            userErrors {
              __typename
              code
              message
              field
            }
          }
        }
        """#

    public var input: LikeThoughtInput

    public init(
        input: LikeThoughtInput
    ) {
        self.input = input
    }

    public var variableFields: [InputField] {
        [
            InputField("input", input),
        ]
    }

    public struct Data: SelectedObject {
        /// Once an account; liked again, it stays one.
        public var likeThought: LikeThought?

        public static let selection = SelectionSet([
            .field("likeThought", arguments: [("input", .variable("input"))], LikeThought.selection),
        ])

        public init(_ object: ObjectReader) throws(UnreadableResponse) {
            self.likeThought = try object.read("likeThought")
        }

        public struct LikeThought: SelectedObject {
            /// The thought, as it is now.
            public var thought: Thought?
            /// What a person can mend; empty where the mutation succeeded.
            public var userErrors: [UserErrors]

            public static let selection = SelectionSet([
                .field("__typename"),
                .field("thought", Thought.selection),
                .field("userErrors", UserErrors.selection),
            ])

            public init(_ object: ObjectReader) throws(UnreadableResponse) {
                self.thought = try object.read("thought")
                self.userErrors = try object.read("userErrors")
            }

            public struct Thought: SelectedObject {
                /// Like all counters but shareCount, it leaves out what deleted accounts did.
                public var likeCount: Int
                /// Whether the viewer likes it; false without a session.
                public var viewerHasLiked: Bool

                public static let selection = SelectionSet([
                    .field("__typename"),
                    .field("id"),
                    .field("likeCount"),
                    .field("viewerHasLiked"),
                ])

                public init(_ object: ObjectReader) throws(UnreadableResponse) {
                    self.likeCount = try object.read("likeCount")
                    self.viewerHasLiked = try object.read("viewerHasLiked")
                }
            }

            public struct UserErrors: SelectedObject {
                /// The kind of the fault.
                public var code: UserErrorCode
                /// A sentence for a person.
                public var message: String
                /// The path of the input's field, such as ["input", "email"].
                public var field: [String]?

                public static let selection = SelectionSet([
                    .field("__typename"),
                    .field("code"),
                    .field("message"),
                    .field("field"),
                ])

                public init(_ object: ObjectReader) throws(UnreadableResponse) {
                    self.code = try object.read("code")
                    self.message = try object.read("message")
                    self.field = try object.read("field")
                }
            }
        }
    }
}

/// A row of the feed.
public struct FeedRow: SelectedObject {
    /// When it was made.
    public var createdAt: Date
    /// Who made it.
    public var author: Author
    public var asThought: AsThought?
    public var asEvent: AsEvent?

    public static let selection = SelectionSet([
        .field("__typename"),
        .field("id"),
        .field("createdAt"),
        .field("author", Author.selection),
        .on(["Thought"], AsThought.selection),
        .on(["Event"], AsEvent.selection),
    ])

    public init(_ object: ObjectReader) throws(UnreadableResponse) {
        self.createdAt = try object.read("createdAt")
        self.author = try object.read("author")
        self.asThought = try object.isOne(of: ["Thought"]) ? AsThought(object) : nil
        self.asEvent = try object.isOne(of: ["Event"]) ? AsEvent(object) : nil
    }

    public struct Author: SelectedObject {
        public var person: Person

        public static let selection = SelectionSet([
            .field("__typename"),
            .field("id"),
            .always(Person.selection),
        ])

        public init(_ object: ObjectReader) throws(UnreadableResponse) {
            self.person = try Person(object)
        }
    }

    public struct AsThought: SelectedObject {
        /// 2,000 characters at most.
        public var text: String
        /// What it is meant as.
        public var category: ThoughtCategory
        /// Like all counters but shareCount, it leaves out what deleted accounts did.
        public var likeCount: Int
        /// Whether the viewer likes it; false without a session.
        public var viewerHasLiked: Bool

        public static let selection = SelectionSet([
            .field("text"),
            .field("category"),
            .field("likeCount"),
            .field("viewerHasLiked"),
        ])

        public init(_ object: ObjectReader) throws(UnreadableResponse) {
            self.text = try object.read("text")
            self.category = try object.read("category")
            self.likeCount = try object.read("likeCount")
            self.viewerHasLiked = try object.read("viewerHasLiked")
        }
    }

    public struct AsEvent: SelectedObject {
        /// 100 characters at most.
        public var name: String
        /// Where it takes place, 200 characters at most.
        public var location: String?

        public static let selection = SelectionSet([
            .field("name"),
            .field("location"),
        ])

        public init(_ object: ObjectReader) throws(UnreadableResponse) {
            self.name = try object.read("name")
            self.location = try object.read("location")
        }
    }
}

public struct Person: SelectedObject {
    /// Null until one is chosen, as for an anonymous account.
    public var username: String?
    /// The full name; never empty: a generated name until one is chosen.
    public var displayName: String

    public static let selection = SelectionSet([
        .field("__typename"),
        .field("id"),
        .field("username"),
        .field("displayName"),
    ])

    public init(_ object: ObjectReader) throws(UnreadableResponse) {
        self.username = try object.read("username")
        self.displayName = try object.read("displayName")
    }
}

public struct Stars: SelectedObject {
    /// What people think of it.
    public var rating: Rating
    /// The viewer's stars, 1 to 5; null for none.
    public var viewerRating: Int?

    public static let selection = SelectionSet([
        .field("__typename"),
        .field("id"),
        .field("rating", Rating.selection),
        .field("viewerRating"),
    ])

    public init(_ object: ObjectReader) throws(UnreadableResponse) {
        self.rating = try object.read("rating")
        self.viewerRating = try object.read("viewerRating")
    }

    public struct Rating: SelectedObject {
        /// Null while nobody has rated.
        public var average: Double?

        public static let selection = SelectionSet([
            .field("__typename"),
            .field("average"),
        ])

        public init(_ object: ObjectReader) throws(UnreadableResponse) {
            self.average = try object.read("average")
        }
    }
}

extension FeedQuery: LiveQuery {
    public typealias Row = FeedRow
    public typealias Changes = FeedChangesSubscription
    public static let connection = ["feed"]

    public func page(after cursor: String) -> FeedQuery {
        var copy = self
        copy.after = .value(cursor)
        return copy
    }
}

extension FeedChangesSubscription: ChangeSubscription {
    public typealias Row = FeedRow
    public static let changeField = "feedChanges"

    public func resuming(after cursor: String) -> FeedChangesSubscription {
        var copy = self
        copy.after = .value(cursor)
        return copy
    }
}

/// What a create does where the viewer has an object of the given id already. Somebody else's id is TAKEN either way.
public enum OnConflict: GraphQLEnum {
    /// The object stays as it is and is the answer; nothing of the input is written.
    case keep
    /// The input is written over the object as an update writes it, under the same rules; what the input leaves out is cleared, or has its default.
    case overwrite
    /// A value that the schema did not have when this was generated.
    case unknown(String)

    public static let allCases: [OnConflict] = [.keep, .overwrite]

    public init(rawValue: String) {
        switch rawValue {
        case "KEEP": self = .keep
        case "OVERWRITE": self = .overwrite
        default: self = .unknown(rawValue)
        }
    }

    public var rawValue: String {
        switch self {
        case .keep: "KEEP"
        case .overwrite: "OVERWRITE"
        case .unknown(let value): value
        }
    }
}

/// What is wrong with an input, for the app.
public enum UserErrorCode: GraphQLEnum {
    /// The value is missing, or has nothing that can be seen.
    case required
    /// The text has fewer characters than it needs.
    case tooShort
    /// The text has more characters than it can have.
    case tooLong
    /// The value is not of the form that it needs.
    case invalid
    /// Somebody else has it already: a username, an address, an id.
    case taken
    /// The same value is given twice.
    case notUnique
    /// Two values that have to be equal differ.
    case mismatch
    /// The password is easily guessed.
    case weakPassword
    /// The login or the password is wrong; it is not told which.
    case wrongCredentials
    /// The token of a mail was used, or is too old.
    case expired
    /// The event does not end after its start.
    case endsBeforeStart
    /// The event is over.
    case inThePast
    /// The file is not a PNG, JPEG, GIF or WebP image, or is damaged.
    case unsupportedMedia
    /// The file has more bytes or pixels than it can have.
    case tooLarge
    /// The account's images have no room for another one.
    case quotaExceeded
    /// The object does not take this: a draft is not shared, one's own account not blocked.
    case notAllowed
    /// An object that the input names is not there, or not visible.
    case notFound
    /// There are more of these than there can be.
    case tooMany
    /// The state has changed meanwhile: an account signed up already, a report is decided.
    case conflict
    /// A value that the schema did not have when this was generated.
    case unknown(String)

    public static let allCases: [UserErrorCode] = [.required, .tooShort, .tooLong, .invalid, .taken, .notUnique, .mismatch, .weakPassword, .wrongCredentials, .expired, .endsBeforeStart, .inThePast, .unsupportedMedia, .tooLarge, .quotaExceeded, .notAllowed, .notFound, .tooMany, .conflict]

    public init(rawValue: String) {
        switch rawValue {
        case "REQUIRED": self = .required
        case "TOO_SHORT": self = .tooShort
        case "TOO_LONG": self = .tooLong
        case "INVALID": self = .invalid
        case "TAKEN": self = .taken
        case "NOT_UNIQUE": self = .notUnique
        case "MISMATCH": self = .mismatch
        case "WEAK_PASSWORD": self = .weakPassword
        case "WRONG_CREDENTIALS": self = .wrongCredentials
        case "EXPIRED": self = .expired
        case "ENDS_BEFORE_START": self = .endsBeforeStart
        case "IN_THE_PAST": self = .inThePast
        case "UNSUPPORTED_MEDIA": self = .unsupportedMedia
        case "TOO_LARGE": self = .tooLarge
        case "QUOTA_EXCEEDED": self = .quotaExceeded
        case "NOT_ALLOWED": self = .notAllowed
        case "NOT_FOUND": self = .notFound
        case "TOO_MANY": self = .tooMany
        case "CONFLICT": self = .conflict
        default: self = .unknown(rawValue)
        }
    }

    public var rawValue: String {
        switch self {
        case .required: "REQUIRED"
        case .tooShort: "TOO_SHORT"
        case .tooLong: "TOO_LONG"
        case .invalid: "INVALID"
        case .taken: "TAKEN"
        case .notUnique: "NOT_UNIQUE"
        case .mismatch: "MISMATCH"
        case .weakPassword: "WEAK_PASSWORD"
        case .wrongCredentials: "WRONG_CREDENTIALS"
        case .expired: "EXPIRED"
        case .endsBeforeStart: "ENDS_BEFORE_START"
        case .inThePast: "IN_THE_PAST"
        case .unsupportedMedia: "UNSUPPORTED_MEDIA"
        case .tooLarge: "TOO_LARGE"
        case .quotaExceeded: "QUOTA_EXCEEDED"
        case .notAllowed: "NOT_ALLOWED"
        case .notFound: "NOT_FOUND"
        case .tooMany: "TOO_MANY"
        case .conflict: "CONFLICT"
        case .unknown(let value): value
        }
    }
}

/// Relative to what a subscription matches. ADDED: it matches now and did not before (created, published, edited into the filter,
/// unblocked). CHANGED: it matched and still does, counters included; several may be merged into the newest. REMOVED: it matches no
/// more, is gone or hidden; the node is null. All can be applied as upsert or delete by nodeId. A node may be null with CHANGED when
/// the object went meanwhile: its REMOVED follows.
public enum ChangeKind: GraphQLEnum {
    /// The object matches now and did not before.
    case added
    /// The object matched before and still does.
    case changed
    /// The object matches no more, is gone, or is hidden from the viewer.
    case removed
    /// A value that the schema did not have when this was generated.
    case unknown(String)

    public static let allCases: [ChangeKind] = [.added, .changed, .removed]

    public init(rawValue: String) {
        switch rawValue {
        case "ADDED": self = .added
        case "CHANGED": self = .changed
        case "REMOVED": self = .removed
        default: self = .unknown(rawValue)
        }
    }

    public var rawValue: String {
        switch self {
        case .added: "ADDED"
        case .changed: "CHANGED"
        case .removed: "REMOVED"
        case .unknown(let value): value
        }
    }
}

/// Lists that only the viewer may see.
public enum Mailbox: GraphQLEnum {
    /// The viewer's conversations.
    case conversations
    /// The messages of all of them.
    case messages
    /// The viewer's notifications.
    case notifications
    /// A value that the schema did not have when this was generated.
    case unknown(String)

    public static let allCases: [Mailbox] = [.conversations, .messages, .notifications]

    public init(rawValue: String) {
        switch rawValue {
        case "CONVERSATIONS": self = .conversations
        case "MESSAGES": self = .messages
        case "NOTIFICATIONS": self = .notifications
        default: self = .unknown(rawValue)
        }
    }

    public var rawValue: String {
        switch self {
        case .conversations: "CONVERSATIONS"
        case .messages: "MESSAGES"
        case .notifications: "NOTIFICATIONS"
        case .unknown(let value): value
        }
    }
}

/// The kinds of what the feed consists of.
public enum FeedKind: GraphQLEnum {
    /// Thoughts.
    case thought
    /// Events.
    case event
    /// A value that the schema did not have when this was generated.
    case unknown(String)

    public static let allCases: [FeedKind] = [.thought, .event]

    public init(rawValue: String) {
        switch rawValue {
        case "THOUGHT": self = .thought
        case "EVENT": self = .event
        default: self = .unknown(rawValue)
        }
    }

    public var rawValue: String {
        switch self {
        case .thought: "THOUGHT"
        case .event: "EVENT"
        case .unknown(let value): value
        }
    }
}

/// What a thought is meant as.
public enum ThoughtCategory: GraphQLEnum {
    /// To laugh about.
    case funny
    /// To think about.
    case serious
    /// To wonder about.
    case crazy
    /// A value that the schema did not have when this was generated.
    case unknown(String)

    public static let allCases: [ThoughtCategory] = [.funny, .serious, .crazy]

    public init(rawValue: String) {
        switch rawValue {
        case "FUNNY": self = .funny
        case "SERIOUS": self = .serious
        case "CRAZY": self = .crazy
        default: self = .unknown(rawValue)
        }
    }

    public var rawValue: String {
        switch self {
        case .funny: "FUNNY"
        case .serious: "SERIOUS"
        case .crazy: "CRAZY"
        case .unknown(let value): value
        }
    }
}

/// Who sees a thought.
public enum ThoughtStatus: GraphQLEnum {
    /// Its author alone.
    case draft
    /// Everybody.
    case published
    /// A value that the schema did not have when this was generated.
    case unknown(String)

    public static let allCases: [ThoughtStatus] = [.draft, .published]

    public init(rawValue: String) {
        switch rawValue {
        case "DRAFT": self = .draft
        case "PUBLISHED": self = .published
        default: self = .unknown(rawValue)
        }
    }

    public var rawValue: String {
        switch self {
        case .draft: "DRAFT"
        case .published: "PUBLISHED"
        case .unknown(let value): value
        }
    }
}

/// What a client keeps a copy of: exactly one.
public indirect enum ChangeScope: InputObjectValue {
    /// Thoughts and events, as in Query.feed.
    case feed(FeedFilter)
    /// Events, as in Query.events.
    case events(EventFilter)
    /// Single objects, 100 at most.
    case nodeIds([String])
    /// The comments of a thought or event, by its id.
    case commentsOf(String)
    /// The messages of a conversation, by its id.
    case messagesOf(String)
    /// What only the viewer may see.
    case mailbox(Mailbox)

    public var inputFields: [InputField] {
        switch self {
        case .feed(let value): [InputField("feed", value)]
        case .events(let value): [InputField("events", value)]
        case .nodeIds(let value): [InputField("nodeIds", value)]
        case .commentsOf(let value): [InputField("commentsOf", value)]
        case .messagesOf(let value): [InputField("messagesOf", value)]
        case .mailbox(let value): [InputField("mailbox", value)]
        }
    }
}

/// Which events; all that is given has to hold.
public struct EventFilter: InputObjectValue {
    /// Of this person only.
    public var authorId: Given<String>
    /// Inclusive.
    public var startsAfter: Given<Date>
    /// Exclusive.
    public var startsBefore: Given<Date>
    /// Also those under way.
    public var endsAfter: Given<Date>

    public init(
        authorId: Given<String> = .absent,
        startsAfter: Given<Date> = .absent,
        startsBefore: Given<Date> = .absent,
        endsAfter: Given<Date> = .absent
    ) {
        self.authorId = authorId
        self.startsAfter = startsAfter
        self.startsBefore = startsBefore
        self.endsAfter = endsAfter
    }

    public var inputFields: [InputField] {
        [
            InputField("authorId", authorId),
            InputField("startsAfter", startsAfter),
            InputField("startsBefore", startsBefore),
            InputField("endsAfter", endsAfter),
        ]
    }
}

/// Which of the feed; all that is given has to hold.
public struct FeedFilter: InputObjectValue {
    /// Both by default.
    public var kinds: Given<[FeedKind]>
    /// Thoughts of these categories only (events are left out when it is given).
    public var categories: Given<[ThoughtCategory]>
    /// Of this person only.
    public var authorId: Given<String>

    public init(
        kinds: Given<[FeedKind]> = .absent,
        categories: Given<[ThoughtCategory]> = .absent,
        authorId: Given<String> = .absent
    ) {
        self.kinds = kinds
        self.categories = categories
        self.authorId = authorId
    }

    public var inputFields: [InputField] {
        [
            InputField("kinds", kinds),
            InputField("categories", categories),
            InputField("authorId", authorId),
        ]
    }
}

/// The input of createThought.
public struct CreateThoughtInput: InputObjectValue {
    /// A new id that the client makes, beginning with `thought_`; by default the server makes one.
    public var id: Given<String>
    /// What it is meant as.
    public var category: ThoughtCategory
    /// 120 characters at most.
    public var title: Given<String>
    /// 1 to 2,000 characters.
    public var text: String
    /// An image of the viewer's.
    public var imageId: Given<String>
    /// DRAFT keeps it to oneself.
    public var status: ThoughtStatus
    /// OVERWRITE publishes or unpublishes by status; what is published keeps its publishedAt.
    public var onConflict: OnConflict
    /// Sent again with the same input within 24 hours, the mutation happens once and has the same answer. 255 characters at most.
    public var clientMutationId: Given<String>

    public init(
        id: Given<String> = .absent,
        category: ThoughtCategory,
        title: Given<String> = .absent,
        text: String,
        imageId: Given<String> = .absent,
        status: ThoughtStatus = .published,
        onConflict: OnConflict = .keep,
        clientMutationId: Given<String> = .absent
    ) {
        self.id = id
        self.category = category
        self.title = title
        self.text = text
        self.imageId = imageId
        self.status = status
        self.onConflict = onConflict
        self.clientMutationId = clientMutationId
    }

    public var inputFields: [InputField] {
        [
            InputField("id", id),
            InputField("category", category),
            InputField("title", title),
            InputField("text", text),
            InputField("imageId", imageId),
            InputField("status", status),
            InputField("onConflict", onConflict),
            InputField("clientMutationId", clientMutationId),
        ]
    }
}

/// The input of likeThought.
public struct LikeThoughtInput: InputObjectValue {
    /// The thought.
    public var thoughtId: String
    /// Sent again with the same input within 24 hours, the mutation happens once and has the same answer. 255 characters at most.
    public var clientMutationId: Given<String>

    public init(
        thoughtId: String,
        clientMutationId: Given<String> = .absent
    ) {
        self.thoughtId = thoughtId
        self.clientMutationId = clientMutationId
    }

    public var inputFields: [InputField] {
        [
            InputField("thoughtId", thoughtId),
            InputField("clientMutationId", clientMutationId),
        ]
    }
}

extension SchemaDescription {
    /// The schema that the operations were generated for.
    public static let generated = SchemaDescription(
        version: "c6ab9440197e575306dbd7d09e5c467731fe5e58ad71de1692977d9f15b8bac8",
        identity: .global)
}
