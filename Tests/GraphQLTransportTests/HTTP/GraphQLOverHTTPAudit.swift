import Testing

/// The audits of GraphQL over HTTP's reference suite, by their ids there.
struct Audit: Sendable, CustomTestStringConvertible {
    enum Status: Sendable {
        case exactly(Int)
        case between(Int, Int)
    }

    let id: String
    let rule: String
    var method = "POST"
    var query = ""
    var accept: String?
    var contentType: String? = "application/json"
    var body: String? = #"{"query":"{ __typename }"}"#
    var status = Status.exactly(200)
    var answersWith: String?
    var hasNoErrors = false
    var hasNoData = false

    var testDescription: String { "\(id) \(rule)" }

    static let graphQL = "application/graphql-response+json"
    static let json = "application/json"

    static let all: [Audit] = mediaTypes + requests + parameters + legacyResponses + responses

    private static let mediaTypes = [
        Audit(id: "22EB", rule: "accepts \(graphQL) and answers with it", accept: graphQL, answersWith: graphQL),
        Audit(id: "4655", rule: "accepts \(json) and answers with it", accept: json, answersWith: json),
        Audit(id: "47DE", rule: "answers */* with \(json)", accept: "*/*", answersWith: json),
        Audit(id: "80D8", rule: "assumes \(json) where Accept is missing", answersWith: json),
        Audit(id: "82A3", rule: "answers in UTF-8"),
        Audit(
            id: "BF61", rule: "takes UTF-8", contentType: "application/json; charset=utf-8",
            body: #"{"query":"{ __type(name: \"Run🏃Swim🏊\") { name } }"}"#),
        Audit(id: "78D5", rule: "assumes UTF-8"),
    ]

    private static let requests = [
        Audit(id: "2C94", rule: "takes POST"),
        Audit(
            id: "5A70", rule: "takes GET", method: "GET", query: "?query=%7B%20__typename%20%7D", contentType: nil,
            body: nil),
        Audit(
            id: "9C48", rule: "runs no mutation by GET", method: "GET",
            query: "?query=mutation%20%7B%20__typename%20%7D",
            accept: graphQL, contentType: nil, body: nil, status: .between(400, 499)),
        Audit(
            id: "9ABE", rule: "refuses a POST without content type", contentType: nil, body: nil,
            status: .between(400, 499)),
        Audit(id: "03D4", rule: "takes JSON by POST"),
        Audit(id: "A5BF", rule: "refuses a missing body", body: nil, status: .exactly(400)),
    ]

    private static let wrongForText = [#"{"obj":"ect"}"#, "0", "false", #"["array"]"#]
    private static let wrongForMap = [#""string""#, "0", "false", #"["array"]"#]
    private static let typeQuery = #""query":"query Type($name: String!) { __type(name: $name) { name } }""#
    private static let typeAddress =
        "?query=query%20Type(%24name%3A%20String!)%20%7B%20__type(name%3A%20%24name)%20%7B%20name%20%7D%20%7D"
        + "&variables=%7B%22name%22%3A%22sometype%22%7D"

    private static let parameters: [Audit] =
        [
            Audit(
                id: "423L", rule: "refuses a missing query", accept: graphQL, body: #"{"notquery":"{ __typename }"}"#,
                status: .exactly(400)),
            Audit(id: "34A2", rule: "takes a string as query (\(graphQL))", accept: graphQL),
            Audit(id: "13EE", rule: "takes a string as query (\(json))", accept: json, hasNoErrors: true),
            Audit(
                id: "8161", rule: "takes a string as operationName (\(graphQL))", accept: graphQL,
                body: #"{"operationName":"Query","query":"query Query { __typename }"}"#),
            Audit(
                id: "B8B3", rule: "takes a string as operationName (\(json))", accept: json,
                body: #"{"operationName":"Query","query":"query Query { __typename }"}"#, hasNoErrors: true),
            Audit(
                id: "2EA1", rule: "takes a map as variables (\(graphQL))", accept: graphQL,
                body: #"{\#(typeQuery),"variables":{"name":"sometype"}}"#),
            Audit(
                id: "28B9", rule: "takes a map as variables (\(json))", accept: json,
                body: #"{\#(typeQuery),"variables":{"name":"sometype"}}"#, hasNoErrors: true),
            Audit(
                id: "D6D5", rule: "takes variables by GET (\(graphQL))", method: "GET", query: typeAddress,
                accept: graphQL, contentType: nil, body: nil),
            Audit(
                id: "6A70", rule: "takes variables by GET (\(json))", method: "GET", query: typeAddress, accept: json,
                contentType: nil, body: nil, hasNoErrors: true),
            Audit(
                id: "428F", rule: "takes a map as extensions (\(graphQL))", accept: graphQL,
                body: #"{"query":"{ __typename }","extensions":{"some":"value"}}"#),
            Audit(
                id: "1B7A", rule: "takes a map as extensions (\(json))", accept: json,
                body: #"{"query":"{ __typename }","extensions":{"some":"value"}}"#, hasNoErrors: true),
            // Named by the suite, written out by its ports to other languages.
            Audit(
                id: "39AA", rule: "accepts a map as extensions", accept: "\(graphQL), \(json);q=0.9",
                body: #"{"query":"{ __typename }","extensions":{"some":"value"}}"#, hasNoErrors: true),
            Audit(id: "B6DC", rule: "refuses what is not JSON", body: #"{ "not a JSON"#, status: .between(400, 499)),
            Audit(
                id: "BCF8", rule: "refuses what is not JSON with 400", body: #"{ "not a JSON"#, status: .exactly(400)),
            Audit(
                id: "8764", rule: "refuses wrong parameters", body: #"{"qeury":"{ __typename }"}"#,
                status: .between(400, 599)),
            Audit(
                id: "3E3A", rule: "refuses wrong parameters with 400", body: #"{"qeury":"{ __typename }"}"#,
                status: .exactly(400)),
        ]
        + wrong("LKJ", "query", wrongForText) { #"{"query":\#($0)}"# }
        + wrong("6C0", "operationName", wrongForText) { #"{"query":"{ __typename }","operationName":\#($0)}"# }
        + wrong("476", "variables", wrongForMap) { #"{"query":"{ __typename }","variables":\#($0)}"# }
        + wrong("58B", "extensions", wrongForMap) { #"{"query":"{ __typename }","extensions":\#($0)}"# }
        + ["variables", "operationName", "extensions"].enumerated().flatMap { index, name in
            let body = #"{"query":"{ __typename }","\#(name)":null}"#
            return [
                Audit(
                    id: "94B\(index)", rule: "takes null as \(name) (\(graphQL))", accept: graphQL, body: body,
                    hasNoErrors: true),
                Audit(
                    id: "022\(index)", rule: "takes null as \(name) (\(json))", accept: json, body: body,
                    hasNoErrors: true),
            ]
        }

    private static func wrong(
        _ id: String, _ name: String, _ values: [String], body: (String) -> String
    ) -> [Audit] {
        values.enumerated().map { index, value in
            Audit(id: "\(id)\(index)", rule: "refuses \(value) as \(name)", body: body(value), status: .exactly(400))
        }
    }

    private static let unparsable = #"{"query":"{"}"#
    private static let invalid = #"{"query":"{ 8f31403dfe404bccbb0e835f2629c6a7 }"}"#
    private static let uncoercible = #"{"query":"query CoerceFailure($id: ID!){ __typename }","variables":{"id":null}}"#

    private static let legacyResponses = [
        Audit(id: "572B", rule: "answers 200 to what does not parse (\(json))", accept: json, body: unparsable),
        Audit(id: "FDE2", rule: "answers 200 to what does not validate (\(json))", accept: json, body: invalid),
        Audit(id: "7B9B", rule: "answers 200 to what does not coerce (\(json))", accept: json, body: uncoercible),
    ]

    private static let responses = [
        Audit(
            id: "865D", rule: "refuses what does not parse", accept: graphQL, body: unparsable,
            status: .between(400, 599)),
        Audit(
            id: "556A", rule: "refuses what does not parse with 400", accept: graphQL, body: unparsable,
            status: .exactly(400)),
        Audit(
            id: "D586", rule: "sends no data where nothing parsed", accept: graphQL, body: unparsable,
            status: .exactly(400), hasNoData: true),
        Audit(
            id: "51FE", rule: "refuses what does not validate", accept: graphQL, body: invalid,
            status: .between(400, 599)),
        Audit(
            id: "74FF", rule: "refuses what does not validate with 400", accept: graphQL, body: invalid,
            status: .exactly(400)),
        Audit(
            id: "5E5B", rule: "sends no data where nothing was valid", accept: graphQL, body: invalid,
            status: .exactly(400), hasNoData: true),
        Audit(
            id: "86EE", rule: "refuses what does not coerce with 400", accept: graphQL, body: uncoercible,
            status: .exactly(400)),
    ]
}
