extension AttackShape {
    static let all = nesting + width + fragments + conflicts + directives + values + variables + texts + definitions

    private static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    private static let nesting: [AttackShape] = [
        AttackShape(name: "open selections", unit: { _ in "{a" }),
        AttackShape(name: "nested fields", head: "{", unit: { _ in "item{" }, tail: "id}", closing: "}"),
        AttackShape(name: "nested inline fragments", head: "{", unit: { _ in "...{" }, tail: "item{id}}", closing: "}"),
        AttackShape(name: "nested lists", head: "{item(matrix:", unit: { _ in "[" }),
        AttackShape(name: "nested objects", head: "{item(filter:", unit: { _ in "{not:" }),
        AttackShape(name: "nested list types", head: "query($a:", unit: { _ in "[" }),
        AttackShape(
            name: "fields 60 deep, again and again", head: "{",
            unit: { _ in repeated("item{", 60) + "id" + repeated("}", 60) + " " }, tail: "}"),
        AttackShape(
            name: "inline fragments 60 deep, again and again", head: "{item{",
            unit: { _ in repeated("...on Item{", 60) + "id" + repeated("}", 60) }, tail: "}}"),
        AttackShape(
            name: "a circle through the schema", head: "{__schema{types{",
            unit: { _ in "fields{type{" }, tail: "name}}}", closing: "}}"),
    ]

    private static let width: [AttackShape] = [
        AttackShape(name: "one field", head: "{item{", unit: { _ in "id " }, tail: "}}"),
        AttackShape(name: "one object", head: "{", unit: { _ in "item{id}" }, tail: "}"),
        AttackShape(name: "aliases", head: "{", unit: { "a\($0):item{id}" }, tail: "}"),
        AttackShape(name: "unknown fields", head: "{item{", unit: { "itemm\($0) " }, tail: "}}"),
        AttackShape(
            name: "unknown fields with long names", head: "{item{",
            unit: { "createdAtt\(repeated("x", 1_000))\($0) " }, tail: "}}"),
        AttackShape(name: "unknown fields of an interface", head: "{node{", unit: { "titlee\($0) " }, tail: "}}"),
        AttackShape(name: "unknown arguments", head: "{item(", unit: { "filterr\($0):1 " }, tail: "){id}}"),
        AttackShape(name: "one argument", head: "{item(", unit: { _ in "id:1 " }, tail: "){id}}"),
        AttackShape(name: "operations", unit: { "query Q\($0){item{id}}" }),
        AttackShape(name: "operations of one name", unit: { _ in "query Q{item{id}}" }),
        AttackShape(name: "anonymous operations", unit: { _ in "{item{id}}" }),
        AttackShape(name: "types by name", head: "{", unit: { "a\($0):__type(name:\"Item\"){name}" }, tail: "}"),
        AttackShape(name: "root fields of a subscription", head: "subscription{", unit: { "a\($0):ticks " }, tail: "}"),
    ]

    private static let fragments: [AttackShape] = [
        AttackShape(
            name: "a chain of fragments", head: "{item{...F0}}",
            unit: { "fragment F\($0) on Item{...F\($0 + 1)}" }),
        AttackShape(
            name: "a chain through fields", head: "{item{...F0}}",
            unit: { "fragment F\($0) on Item{item{...F\($0 + 1)}}" }),
        AttackShape(
            name: "a tree that doubles", head: "{item{...F0}}",
            unit: { "fragment F\($0) on Item{...F\($0 + 1) ...F\($0 + 1)}" }),
        AttackShape(
            name: "a tree that doubles through fields", head: "{item{...F0}}",
            unit: { "fragment F\($0) on Item{item{...F\($0 + 1)}item{...F\($0 + 1)}}" }),
        AttackShape(
            name: "a tree of aliases", head: "{item{...F0}}",
            unit: { "fragment F\($0) on Item{a:item{...F\($0 + 1)}b:item{...F\($0 + 1)}}" }),
        AttackShape(
            name: "a tree of aliases in the introspection", head: "{__type(name:\"Item\"){...F0}}",
            unit: { "fragment F\($0) on __Type{a:ofType{...F\($0 + 1)}b:ofType{...F\($0 + 1)}c:ofType{...F\($0 + 1)}}" }
        ),
        AttackShape(
            name: "a tree through two types", head: "{node{...F0}}",
            unit: { "fragment F\($0) on Node{...on Item{next{...F\($0 + 1)}}...on Note{next{...F\($0 + 1)}}}" }),
        AttackShape(
            name: "fragments that each spread 40", head: "{item{...F0}}",
            unit: { number in
                "fragment F\(number) on Item{id " + (0..<40).map { "...F\(number + 1 + $0)" }.joined(separator: " ")
                    + "}"
            }),
        AttackShape(
            name: "fragments in circles", head: "{item{...F0}}",
            unit: { "fragment F\($0) on Item{...F\($0 + 1) ...F\($0 / 2) ...F0}" }),
        AttackShape(name: "one spread", head: "{item{", unit: { _ in "...F " }, tail: "}}fragment F on Item{id}"),
        AttackShape(
            name: "unknown fragments", head: "{item{", unit: { "...Ff\($0) " }, tail: "}}fragment F on Item{id}"),
        AttackShape(name: "unused fragments", head: "{item{id}}", unit: { "fragment F\($0) on Item{id}" }),
        AttackShape(name: "fragments of one name", head: "{item{...F}}", unit: { _ in "fragment F on Item{id}" }),
        AttackShape(
            name: "fragments on unknown types", head: "{item{id}}", unit: { "fragment F\($0) on Itemm\($0){id}" }),
        AttackShape(
            name: "operations over one chain",
            head: (0..<40).map {
                "fragment F\($0) on Query{...F\($0 + 1)}"
            }.joined() + "fragment F40 on Query{item(id:$a){id}}",
            unit: { "query Q\($0)($a:ID){...F0}" }),
        AttackShape(
            name: "operations over one fragment of many variables",
            head: "fragment F on Query{item{" + (0..<100).map { "a\($0):item(id:$v\($0)){id}" }.joined() + "}}",
            unit: { "query Q\($0){...F}" }),
        AttackShape(name: "inline fragments", head: "{item{", unit: { _ in "...on Item{id}" }, tail: "}}"),
        AttackShape(name: "impossible spreads", head: "{item{", unit: { _ in "...on Note{id}" }, tail: "}}"),
    ]

    private static let conflicts: [AttackShape] = [
        AttackShape(name: "one key, many arguments", head: "{", unit: { "a:item(first:\($0)){id}" }, tail: "}"),
        AttackShape(
            name: "one key, many fields", head: "{item{", unit: { "a:\(["id", "title", "name"][$0 % 3]) " }, tail: "}}"),
        AttackShape(name: "mergeable, nested", head: "{", unit: { _ in "item{item{item{item{id}}}}" }, tail: "}"),
        AttackShape(
            name: "mergeable with long arguments", head: "{",
            unit: { _ in "item(filter:{and:[{text:\"\(repeated("x", 200))\"},{minimum:1}]}){id}" }, tail: "}"),
        AttackShape(
            name: "mergeable with objects in other orders", head: "{",
            unit: { number in
                let fields = ["minimum:1", "text:\"x\"", "order:BEST", "not:{minimum:2}"]
                let turned = fields[(number % 4)...] + fields[..<(number % 4)]
                return "item(filter:{\(turned.joined(separator: ","))}){id}"
            }, tail: "}"),
        AttackShape(
            name: "mergeable by types", head: "{node{",
            unit: { _ in "...on Item{next{...on Item{id}...on Note{id}}}...on Note{next{id}}" }, tail: "}}"),
        AttackShape(
            name: "conflicts by types", head: "{node{", unit: { _ in "...on Item{count}...on Note{count}" }, tail: "}}"),
        AttackShape(
            name: "conflicts deep below", head: "{",
            unit: { "item{item{item{item{a:\(["id", "title"][$0 % 2])}}}}" }, tail: "}"),
        AttackShape(
            name: "conflicts across fragments", head: "{item{...F0 ...F1 ...F2 ...F3}}",
            unit: { "fragment F\($0) on Item{a:item(first:\($0)){id}...F\($0 + 1) ...F\($0 + 2)}" }),
    ]

    private static let directives: [AttackShape] = [
        AttackShape(name: "unknown directives", head: "{item", unit: { "@skipp\($0)" }, tail: "{id}}"),
        AttackShape(name: "one directive", head: "{item", unit: { _ in "@skip(if:false)" }, tail: "{id}}"),
        AttackShape(name: "a directive a field", head: "{item{", unit: { _ in "id@skip(if:false)" }, tail: "}}"),
        AttackShape(
            name: "a condition a field",
            head: "query(" + (0..<60).map { "$v\($0):Boolean!" }.joined() + "){item{",
            unit: { "id@skip(if:$v\($0 % 60))" }, tail: "}}"),
    ]

    private static let values: [AttackShape] = [
        AttackShape(name: "a list", head: "{item(tags:[", unit: { _ in "\"x\"," }, tail: "]){id}}"),
        AttackShape(name: "a wrong list", head: "{item(tags:[", unit: { _ in "1," }, tail: "]){id}}"),
        AttackShape(name: "a list of lists", head: "{item(matrix:[", unit: { _ in "[1]," }, tail: "]){id}}"),
        AttackShape(
            name: "a list of objects", head: "{item(filter:{and:[", unit: { _ in "{minimum:1}" }, tail: "]}){id}}"),
        AttackShape(
            name: "an object of one field", head: "{item(filter:{", unit: { _ in "minimum:1 " }, tail: "}){id}}"),
        AttackShape(
            name: "an object of unknown fields", head: "{item(filter:{", unit: { "minimumm\($0):1 " }, tail: "}){id}}"),
        AttackShape(
            name: "oneOf with all", head: "{item(filter:{and:[", unit: { _ in "{equal:{number:1 text:\"x\"}}" },
            tail: "]}){id}}"),
        AttackShape(name: "wrong enums", head: "{item{", unit: { "name(style:NEWESTT\($0))" }, tail: "}}"),
        AttackShape(
            name: "enums with long names", head: "{item{", unit: { _ in "name(style:NEWEST\(repeated("T", 1_000)))" },
            tail: "}}"),
        AttackShape(name: "wrong values", head: "{item{", unit: { _ in "item(first:\"x\"){id}" }, tail: "}}"),
        AttackShape(
            name: "wrong values that are long", head: "{item{",
            unit: { _ in "item(first:[\(repeated("{a:\\\"\\\"}", 0))\(repeated("1,", 60))]){id}" }, tail: "}}"),
        AttackShape(name: "digits", head: "{item(first:", unit: { _ in "9" }, tail: "){id}}"),
        AttackShape(name: "decimals", head: "{item(first:0.", unit: { _ in "9" }, tail: "e9){id}}"),
        AttackShape(name: "an exponent", head: "{item(first:1e", unit: { _ in "9" }, tail: "){id}}"),
        AttackShape(name: "digits as an id", head: "{item(id:", unit: { _ in "9" }, tail: "){id}}"),
    ]

    private static let variables: [AttackShape] = [
        AttackShape(name: "variables", head: "query(", unit: { "$v\($0):ID" }, tail: "){item{id}}"),
        AttackShape(name: "one variable", head: "query(", unit: { _ in "$v:ID" }, tail: "){item(id:$v){id}}"),
        AttackShape(
            name: "variables of unknown types", head: "query(", unit: { "$v\($0):Itemm\($0)" }, tail: "){item{id}}"),
        AttackShape(name: "variables of output types", head: "query(", unit: { "$v\($0):Item" }, tail: "){item{id}}"),
        AttackShape(
            name: "defaults that do not fit", head: "query(", unit: { "$v\($0):Int=\"x\"" }, tail: "){item{id}}"),
        AttackShape(name: "undefined variables", head: "{item{", unit: { "a\($0):item(id:$v\($0)){id}" }, tail: "}}"),
        AttackShape(
            name: "variables in wrong places", head: "query($v:[Int]){item{",
            unit: { "a\($0):item(id:$v){id}" }, tail: "}}"),
        AttackShape(
            name: "one variable in a list", head: "query($v:String!){item(tags:[", unit: { _ in "$v," }, tail: "]){id}}"
        ),
    ]

    private static let texts: [AttackShape] = [
        AttackShape(name: "spaces", unit: { _ in " " }),
        AttackShape(name: "commas", unit: { _ in "," }),
        AttackShape(name: "line breaks", unit: { _ in "\r\n" }),
        AttackShape(name: "line breaks before errors", head: "{item{", unit: { "\na\($0) " }, tail: "}}"),
        AttackShape(name: "byte-order marks", unit: { _ in "\u{FEFF}" }),
        AttackShape(name: "comments", unit: { _ in "#\n" }, tail: "{item{id}}"),
        AttackShape(name: "one comment", head: "#", unit: { _ in "ä" }, tail: "\n{item{id}}"),
        AttackShape(name: "a name", head: "{", unit: { _ in "a" }, tail: "}"),
        AttackShape(name: "a string", head: "{item(id:\"", unit: { _ in "x" }, tail: "\"){id}}"),
        AttackShape(name: "an open string", head: "{item(id:\"", unit: { _ in "x" }),
        AttackShape(name: "escapes", head: "{item(id:\"", unit: { _ in "\\u00e4" }, tail: "\"){id}}"),
        AttackShape(name: "escapes in braces", head: "{item(id:\"", unit: { _ in "\\u{1F600}" }, tail: "\"){id}}"),
        AttackShape(name: "surrogates", head: "{item(id:\"", unit: { _ in "\\uD83D\\uDE00" }, tail: "\"){id}}"),
        AttackShape(name: "emoji", head: "{item(id:\"", unit: { _ in "👩‍👩‍👧‍👦" }, tail: "\"){id}}"),
        AttackShape(name: "a wrong string", head: "{item(first:\"", unit: { _ in "é" }, tail: "\"){id}}"),
        AttackShape(name: "a block string", head: "{item(id:\"\"\"", unit: { _ in "x\n" }, tail: "\"\"\"){id}}"),
        AttackShape(name: "blank lines", head: "{item(id:\"\"\"", unit: { _ in " \n" }, tail: "\"\"\"){id}}"),
        AttackShape(
            name: "lines ever deeper", head: "{item(id:\"\"\"", unit: { "\n" + repeated(" ", 1 + $0 % 300) + "x" },
            tail: "\"\"\"){id}}"),
        AttackShape(
            name: "quotes in a block string", head: "{item(id:\"\"\"", unit: { _ in "\\\"\"\"" }, tail: "\"\"\"){id}}"),
        AttackShape(name: "an open block string", head: "{item(id:\"\"\"", unit: { _ in "\"\"x\n" }),
        AttackShape(name: "empty strings", head: "{item(tags:[", unit: { _ in "\"\"" }, tail: "]){id}}"),
        AttackShape(name: "punctuation", unit: { _ in "..." }),
        AttackShape(name: "closing braces", unit: { _ in "}" }),
    ]

    /// A client's document may hold no definitions of types, but has to be read to be refused.
    private static let definitions: [AttackShape] = [
        AttackShape(name: "types", head: "{item{id}}", unit: { "type T\($0){a:Int}" }),
        AttackShape(name: "one type", head: "{item{id}}", unit: { _ in "type Item{id:ID}" }),
        AttackShape(name: "fields of a type", head: "{item{id}}type T{", unit: { "f\($0):ID" }, tail: "}"),
        AttackShape(name: "descriptions", head: "{item{id}}", unit: { "\"x\"scalar S\($0)" }),
        AttackShape(name: "members of a union", head: "{item{id}}union U=", unit: { "|T\($0)" }),
        AttackShape(name: "interfaces", head: "{item{id}}type T implements ", unit: { "&I\($0)" }, tail: "{a:Int}"),
        AttackShape(name: "extensions", head: "{item{id}}", unit: { _ in "extend type Item{a:Int}" }),
    ]
}
