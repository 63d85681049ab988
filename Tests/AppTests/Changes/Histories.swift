import Postgres

@testable import App

/// A write, and the state of the course to which it leads.
struct Step: Sendable {
    let name: String
    /// `{1}` to `{9}` are ids that each history has to itself.
    let script: String
    let next: String

    init(_ name: String, to next: String, _ script: String) {
        self.name = name
        self.script = script
        self.next = next
    }
}

/// The states of some objects, and the writes that are possible in each of them.
struct Course: Sendable {
    let name: String
    /// The scripts that bring about the states in which a history may begin.
    let starts: [(state: String, script: String)]
    let steps: [String: [Step]]
    /// The ids that lists name: of an object, or of a subject of comments.
    let named: [(kind: TypeID.Kind, digit: UInt64)]
    var subjects: [(kind: TypeID.Kind, digit: UInt64)] = []
    /// The names of the writes of histories that are performed in every order.
    var always: [[String]] = []

    /// The histories of so many writes that are performed in every order.
    func fixedHistories(of count: Int) -> [History] {
        let names = always.filter { $0.count == count }
        return names.isEmpty ? [] : histories(of: count).filter { names.contains($0.steps.map(\.name)) }
    }

    /// All sequences of so many writes.
    func histories(of count: Int) -> [History] {
        starts.flatMap { start in
            let first = [History(course: self, setUp: start.script, steps: [], state: start.state)]
            return (0..<count).reduce(first) { histories, _ in histories.flatMap(\.continuations) }
        }
    }

    static let all = [thought, event, comment, message, block]
}

/// A sequence of writes, each of which depends on those before it.
struct History: Sendable, CustomStringConvertible {
    let course: Course
    /// Makes what is there before the writes.
    let setUp: String
    let steps: [Step]
    let state: String

    fileprivate var continuations: [History] {
        (course.steps[state] ?? []).map {
            History(course: course, setUp: setUp, steps: steps + [$0], state: $0.next)
        }
    }

    var description: String { "\(course.name) \(steps.map(\.name))" }
}

/// A history with ids of its own.
struct PlacedHistory: Sendable {
    let history: History
    /// The first of sixteen ids.
    let place: UInt64

    func script(_ text: String) -> String {
        (1...9).reduce(text) { $0.replacing("{\($1)}", with: "\(worldUUID(place + UInt64($1)))") }
    }

    var setUp: String { script(history.setUp) }
    func write(_ number: Int) -> String { script(history.steps[number].script) }
    var named: [String] { history.course.named.map { worldID($0.kind, place + $0.digit) } }
    var subjects: [String] { history.course.subjects.map { worldID($0.kind, place + $0.digit) } }
}

// MARK: - The courses

private let (ana, ben, mod) = ("'\(worldUUID(0xA))'", "'\(worldUUID(0xB))'", "'\(worldUUID(0xC))'")

private func makeThought(_ author: String, _ status: String = "PUBLISHED") -> String {
    """
    insert into thoughts (id, author_id, category, text, status, published_at)
    values ('{1}', \(author), 'FUNNY', 'A thought', '\(status)', \(status == "PUBLISHED" ? "now()" : "null"));
    """
}

private func makeComment(_ author: String) -> String {
    "insert into comments (id, author_id, thought_id, text) values ('{2}', \(author), '{1}', 'A comment');"
}

private func makeEvent(_ author: String) -> String {
    """
    insert into events (id, author_id, name, description, starts_at, ends_at)
    values ('{3}', \(author), 'An event', 'It begins.', '2099-01-01Z', '2099-01-02Z');
    """
}

/// An account with a name that each history has to itself.
private let makePerson = """
    insert into users (id, display_name, is_anonymous, role) values ('{5}', 'Cleo', true, 'MEMBER');
    """

/// A conversation of these people, in the order of their places.
private func makeConversation(_ people: String...) -> String {
    let members = people.enumerated().map { number, person in
        let pair = people.count == 2 ? people[1 - number] : "null"
        return "('{6}', \(number + 1), \(person), \(pair), now())"
    }
    return """
        insert into conversations (id, people_key)
        select '{6}', people_key(array_agg(p order by p)) from unnest(array[\(people.joined(separator: ", "))]::uuid[]) p;
        insert into conversation_members (conversation_id, place, user_id, pair_with, joined_at)
        values \(members.joined(separator: ", "));
        """
}

private func makeMessage(_ author: String) -> String {
    "insert into messages (id, conversation_id, author_id, text) values ('{7}', '{6}', \(author), 'A message');"
}

private func call(as person: String, _ function: String) -> String {
    "select set_config('app.viewer_id', \(person), true); select \(function);"
}

private let hide = "update thoughts set status = 'DRAFT', published_at = null where id = '{1}';"
private let publish = "update thoughts set status = 'PUBLISHED', published_at = now() where id = '{1}';"
private let deleteThought = "delete from thoughts where id = '{1}';"
private let editComment = "update comments set text = text || '.' where id = '{2}';"
private let deleteComment = "delete from comments where id = '{2}';"
private let editThought = """
    update thoughts set category = case category when 'CRAZY' then 'FUNNY' else 'CRAZY' end, text = text || '.'
    where id = '{1}';
    """
private let moveEvent = """
    update events set name = name || '.',
      starts_at = '2099-01-01Z'::timestamptz + ('2098-01-01Z'::timestamptz - starts_at)
    where id = '{3}';
    """

extension Course {
    private static let thought = Course(
        name: "thought",
        starts: [("published", makeThought(ana)), ("draft", makeThought(ana, "DRAFT")), ("gone", "")],
        steps: [
            "published": [
                Step("edit", to: "published", editThought), Step("hide", to: "draft", hide),
                Step("delete", to: "gone", deleteThought),
            ],
            "draft": [
                Step("edit", to: "draft", editThought), Step("publish", to: "published", publish),
                Step("delete", to: "gone", deleteThought),
            ],
            "gone": [
                Step("publish by ana", to: "published", makeThought(ana)),
                Step("publish by mod", to: "published", makeThought(mod)),
                Step("draft by mod", to: "draft", makeThought(mod, "DRAFT")),
            ],
        ], named: [(.thought, 1)],
        always: [
            ["publish by ana", "edit", "hide", "delete"], ["publish by ana", "hide", "publish", "edit"],
            ["hide", "edit", "publish", "hide"], ["delete", "publish by mod", "hide", "publish"],
        ])

    private static let event = Course(
        name: "event", starts: [("there", makeEvent(ana)), ("gone", "")],
        steps: [
            "there": [
                Step("move", to: "there", moveEvent),
                Step("delete", to: "gone", "delete from events where id = '{3}';"),
            ],
            "gone": [
                Step("make by ana", to: "there", makeEvent(ana)), Step("make by mod", to: "there", makeEvent(mod)),
            ],
        ], named: [(.event, 3)])

    private static let comment = Course(
        name: "comment",
        starts: [("published", makeThought(ana)), ("commented", makeThought(ana) + makeComment(ben))],
        steps: [
            "published": [
                Step("comment by ben", to: "commented", makeComment(ben)),
                Step("comment by mod", to: "commented", makeComment(mod)),
                Step("hide", to: "draft", hide), Step("delete thought", to: "gone", deleteThought),
            ],
            "commented": [
                Step("edit comment", to: "commented", editComment),
                Step("delete comment", to: "published", deleteComment),
                Step("hide", to: "commented draft", hide), Step("delete thought", to: "gone", deleteThought),
            ],
            "draft": [Step("publish", to: "published", publish), Step("delete thought", to: "gone", deleteThought)],
            "commented draft": [
                Step("edit comment", to: "commented draft", editComment),
                Step("delete comment", to: "draft", deleteComment), Step("publish", to: "commented", publish),
                Step("delete thought", to: "gone", deleteThought),
            ],
            "gone": [
                Step("publish by ana", to: "published", makeThought(ana)),
                Step("publish by mod", to: "published", makeThought(mod)),
                Step("draft by mod", to: "draft", makeThought(mod, "DRAFT")),
            ],
        ], named: [(.thought, 1), (.comment, 2)], subjects: [(.thought, 1)],
        always: [
            ["edit comment", "delete comment", "delete thought", "publish by mod", "hide"],
            ["edit comment", "delete thought", "draft by mod", "publish", "hide"],
            ["delete thought", "publish by mod", "comment by ben", "hide", "edit comment"],
        ])

    private static let message: Course = {
        let setUp = makePerson + makeConversation(ana, "'{5}'", ben)
        let send = makeMessage(ana)
        let edit = "update messages set text = text || '.' where id = '{7}';"
        let delete = "delete from messages where id = '{7}';"
        let leave = call(as: ben, "leave_conversation('{6}')")
        let join = call(as: ben, "start_conversation('{8}', array[\(ana), '{5}']::uuid[])")
        return Course(
            name: "message", starts: [("in", setUp), ("in, message", setUp + send)],
            steps: [
                "in": [Step("send", to: "in, message", send), Step("leave", to: "out", leave)],
                "in, message": [
                    Step("edit", to: "in, message", edit), Step("delete", to: "in", delete),
                    Step("leave", to: "out, message", leave),
                ],
                "out": [Step("send", to: "out, message", send), Step("join", to: "in", join)],
                "out, message": [
                    Step("edit", to: "out, message", edit), Step("delete", to: "out", delete),
                    Step("join", to: "in, message", join),
                ],
            ], named: [(.conversation, 6), (.message, 7)],
            always: [["delete", "send", "leave", "join"], ["send", "delete", "send", "leave", "join"]])
    }()

    /// Ana and another person block each other. What the two have written stays as it is.
    private static let block: Course = {
        let person = "'{5}'"
        func block(_ blocker: String, _ blocked: String) -> String {
            "insert into blocks (blocker_id, blocked_id) values (\(blocker), \(blocked));"
        }
        func unblock(_ blocker: String, _ blocked: String) -> String {
            "delete from blocks where blocker_id = \(blocker) and blocked_id = \(blocked);"
        }
        let setUp =
            makePerson + makeThought(person) + makeComment(ana) + makeEvent(person) + makeConversation(ana, person)
            + makeMessage(person)
            + "insert into comments (id, author_id, event_id, text) values ('{4}', \(person), '{3}', 'A comment');"
        return Course(
            name: "block", starts: [("none", setUp), ("ana", setUp + block(ana, person))],
            steps: [
                "none": [
                    Step("ana blocks", to: "ana", block(ana, person)),
                    Step("other blocks", to: "other", block(person, ana)),
                ],
                "ana": [
                    Step("ana unblocks", to: "none", unblock(ana, person)),
                    Step("other blocks", to: "both", block(person, ana)),
                ],
                "other": [
                    Step("ana blocks", to: "both", block(ana, person)),
                    Step("other unblocks", to: "none", unblock(person, ana)),
                ],
                "both": [
                    Step("ana unblocks", to: "other", unblock(ana, person)),
                    Step("other unblocks", to: "ana", unblock(person, ana)),
                ],
            ], named: [(.thought, 1), (.comment, 2), (.event, 3), (.comment, 4), (.conversation, 6), (.message, 7)],
            always: [["ana blocks", "ana unblocks", "other blocks", "other unblocks"]])
    }()
}
