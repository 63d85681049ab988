import TestSupport

@testable import GraphQL

/// Documents at random: well-formed by the grammar, without sense.
struct RandomDocument {
    var random: SeededGenerator

    private static let names = [
        "a", "b", "id", "on", "type", "query", "fragment", "input", "extend", "repeatable", "true_", "_0", "Thought",
    ]
    private static let pieces = [
        "x", " ", "\n", "\t", "\"", "\\", "\"\"\"", "ä", "😀", "\r", "\u{0}", "\u{9F}", "#", "{", "  ",
        "long enough to wrap",
    ]

    /// A shorthand query stands first, where no definition can take its braces as its own.
    mutating func document() -> String {
        maybe { $0.selectionSet(4) } + many(1...4) { $0.definition() }.joined(separator: " ")
    }

    private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    private mutating func maybe(_ make: (inout RandomDocument) -> String) -> String { pick(3) == 0 ? make(&self) : "" }

    private mutating func many(_ counts: ClosedRange<Int>, _ make: (inout RandomDocument) -> String) -> [String] {
        let count = Int.random(in: counts, using: &random)
        return (0..<count).map { _ in make(&self) }
    }

    private mutating func name() -> String { Self.names[pick(Self.names.count)] }

    private mutating func fragmentName() -> String { "F" + name() }

    private mutating func definition() -> String {
        switch pick(9) {
        case 0, 1, 2:
            let head = maybe { $0.description() } + ["query", "mutation", "subscription"][pick(3)]
            return head + maybe { " " + $0.name() } + maybe { $0.variables() } + directives() + selectionSet(4)
        case 3:
            return
                "\(maybe { $0.description() })fragment \(fragmentName()) on \(name())\(directives())\(selectionSet(3))"
        case 4: return maybe { $0.description() } + "schema" + directives() + "{query:\(name())}"
        case 5: return "extend schema @\(name())"
        case 6: return maybe { $0.description() } + typeDefinition()
        case 7: return "extend type \(name()) @\(name())\(fields())"
        default:
            return maybe { $0.description() }
                + "directive @\(name())\(arguments()) \(maybe { _ in "repeatable" }) on |FIELD|QUERY"
        }
    }

    private mutating func typeDefinition() -> String {
        switch pick(6) {
        case 0: "scalar \(name())\(directives())"
        case 1: "type \(name())\(maybe { " implements &\($0.name())&\($0.name())" })\(directives())\(fields())"
        case 2: "interface \(name())\(directives())\(fields())"
        case 3: "union \(name())\(directives())=|\(many(1...3) { $0.name() }.joined(separator: "|"))"
        case 4: "enum \(name()){\(many(1...3) { $0.maybe { $0.description() } + $0.name() }.joined(separator: ","))}"
        default: "input \(name())\(directives()){\(many(1...3) { $0.input() }.joined(separator: " "))}"
        }
    }

    private mutating func fields() -> String {
        let fields = many(1...3) {
            $0.maybe { $0.description() } + $0.name() + $0.arguments() + ":" + $0.type(3) + $0.directives()
        }
        return "{\(fields.joined(separator: " "))}"
    }

    private mutating func arguments() -> String {
        maybe { "(\($0.many(1...3) { $0.input() }.joined(separator: " ")))" }
    }

    private mutating func input() -> String {
        maybe { $0.description() } + name() + ":" + type(3) + maybe { "=" + $0.value(2, isConst: true) } + directives()
    }

    private mutating func variables() -> String {
        let variables = many(1...3) {
            $0.maybe { $0.description() } + "$" + $0.name() + ":" + $0.type(3)
                + $0.maybe { "=" + $0.value(2, isConst: true) }
        }
        return "(\(variables.joined(separator: " ")))"
    }

    private mutating func selectionSet(_ depth: Int) -> String {
        let selections = many(1...4) { (document: inout RandomDocument) -> String in
            switch document.pick(8) {
            case 0: return "...\(document.fragmentName())\(document.directives())"
            case 1 where depth > 0:
                let condition = document.maybe { "on " + $0.name() }
                return "...\(condition)\(document.directives())\(document.selectionSet(depth - 1))"
            default:
                let field = document.maybe { $0.name() + ":" } + document.name() + document.values(false)
                return field + document.directives() + (depth > 0 ? document.maybe { $0.selectionSet(depth - 1) } : "")
            }
        }
        return "{\(selections.joined(separator: " "))}"
    }

    private mutating func directives() -> String { maybe { "@" + $0.name() + $0.values(true) } }

    private mutating func values(_ isConst: Bool) -> String {
        maybe { "(\($0.many(1...3) { $0.name() + ":" + $0.value(3, isConst: isConst) }.joined(separator: ",")))" }
    }

    private mutating func type(_ depth: Int) -> String {
        (depth > 0 && pick(3) == 0 ? "[\(type(depth - 1))]" : name()) + maybe { _ in "!" }
    }

    private mutating func value(_ depth: Int, isConst: Bool) -> String {
        switch pick(depth > 0 ? 9 : 7) {
        case 0: return "-\(pick(1000))"
        case 1: return "\(pick(1000)).\(pick(10))e-\(pick(10))"
        case 2: return string()
        case 3: return blockString()
        case 4: return ["true", "false", "null"][pick(3)]
        case 5: return isConst ? "0" : "$" + name()
        case 6: return name()
        case 7: return "[\(many(0...3) { $0.value(depth - 1, isConst: isConst) }.joined(separator: " "))]"
        default:
            return "{\(many(0...3) { $0.name() + ":" + $0.value(depth - 1, isConst: isConst) }.joined(separator: ","))}"
        }
    }

    private mutating func description() -> String { pick(2) == 0 ? string() : blockString() }

    private mutating func text() -> String { many(0...6) { Self.pieces[$0.pick(Self.pieces.count)] }.joined() }

    private mutating func string() -> String {
        var printer = Printer()
        printer.printString(text())
        return printer.text
    }

    private mutating func blockString() -> String {
        var text = text()
        while let quotes = text.firstRange(of: "\"\"\"") { text.replaceSubrange(quotes, with: "''") }
        return "\"\"\"\(text) \"\"\""
    }
}
