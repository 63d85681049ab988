import assert from "node:assert/strict";
import { test } from "node:test";
import { formatJSON, parseJSON } from "../../Sources/GraphQLTransport/Playground/language/json.js";
import { initialState, lexJSONLine, lexLine } from "../../Sources/GraphQLTransport/Playground/language/lexer.js";
import { documentFor, minify, operationAt, operationsOf } from "../../Sources/GraphQLTransport/Playground/language/operations.js";
import { parse } from "../../Sources/GraphQLTransport/Playground/language/parser.js";
import { format, print } from "../../Sources/GraphQLTransport/Playground/language/printer.js";
import { offsetOf, positionOf } from "../../Sources/GraphQLTransport/Playground/language/text.js";

function styles(line, state = initialState, lex = lexLine) {
  return lex(line, state).tokens.filter(({ style }) => style !== "punctuation").map(({ start, end, style }) => `${line.slice(start, end)}:${style}`).join(" ");
}

test("colours a name by its place", () => {
  assert.equal(styles("query Q($a: [ID!] = X) { b: c(d: $a, e: {f: G}) @h { ...I ... on J } }"),
    "query:keyword Q:definition $a:variable ID:type X:value b:alias c:field d:argument $a:variable e:argument f:argument G:value @h:directive I:definition on:keyword J:type");
});

test("goes on with the state of the line before", () => {
  const { state } = lexLine("{ user(by: {", initialState);
  assert.equal(styles("id: 1", state), "id:argument 1:number");
});

test("a block string spans lines, with quotes that are escaped", () => {
  const open = lexLine('{ a(b: """x', initialState);
  const inside = lexLine(' \\""" still', open.state);
  assert.deepEqual(inside.tokens.map(({ style }) => style), ["string"]);
  assert.equal(inside.state, open.state);
  assert.equal(styles('end""") { c }', inside.state), 'end""":string c:field');
});

test("a definition at the beginning of its line ends what was left open", () => {
  const { state } = lexLine("query A { user(by: {", initialState);
  assert.equal(styles("query B { c }", state), "query:keyword B:definition c:field");
});

test("colours keys and values of JSON", () => {
  assert.equal(styles('"a": "b", "c": [1, true, nil]', "", lexJSONLine), '"a":argument "b":string "c":argument 1:number true:keyword nil:invalid');
});

const syntaxErrors = [
  ["{ a", 'Syntax Error: Expected Name, found <EOF>.', 3],
  ["{ a(b: ) }", 'Syntax Error: Unexpected ")".', 7],
  ["query Q { a } }", 'Syntax Error: Unexpected "}".', 14],
  ['{ a(b: "c) }', "Syntax Error: Unterminated string.", 12],
  ["{ a(b: 01) }", 'Syntax Error: Invalid number, unexpected digit after 0: "1".', 8],
  ["{ a ~ }", 'Syntax Error: Unexpected character: "~".', 4],
  ["query($a: Int = $b) { a }", 'Syntax Error: Unexpected variable "$b" in constant value.', 16],
  ["", "Syntax Error: Unexpected <EOF>.", 0],
];
for (const [text, message, start] of syntaxErrors) {
  test(`tells the syntax error of ${JSON.stringify(text)}`, () => {
    const { error } = parse(text);
    assert.equal(error?.message, message);
    assert.equal(error.start, start);
  });
}

test("reads on behind a syntax error", () => {
  const text = "query A { a(b: { }\nquery B($c: ID!) { d }\nmutation C { e";
  assert.deepEqual(operationsOf(text).map(({ type, name, variables }) => [type, name, variables.map((variable) => variable.type)]),
    [["query", "A", []], ["query", "B", ["ID!"]], ["mutation", "C", []]]);
});

test("never fails and never hangs, whatever is cut off or damaged", () => {
  const text = 'query Q($a: [ID!] = ["x"]) @d(e: 1) { a: b(c: {d: [1, $a]}) { ...F ... on G { h } } }\nfragment F on G { i(j: """k""") }';
  for (let at = 0; at <= text.length; at += 1) {
    parse(text.slice(0, at));
    parse(text.slice(at));
    for (const part of ["{", "}", "(", ")", "[", "]", '"', "$", "...", ":"]) parse(text.slice(0, at) + part + text.slice(at + 1));
  }
  parse("{".repeat(5000));
  parse("[".repeat(5000) + "query{a(b:" + "[".repeat(5000));
});

test("finds the operation at the caret", () => {
  const operations = operationsOf("query A { a }\n\nmutation B { b }\n");
  assert.equal(operationAt(operations, 5)?.name, "A");
  assert.equal(operationAt(operations, 14)?.name, "A");
  assert.equal(operationAt(operations, 20)?.name, "B");
  assert.equal(operationAt([], 0), null);
});

test("sends one operation with the fragments that it needs", () => {
  const text = "query A { ...F } # one\nquery B { b }\nfragment F on Q { x { ...G } }\nfragment G on Q { y }\nfragment H on Q { z }";
  const [a, b] = operationsOf(text);
  assert.equal(documentFor(text, a), "query A{...F}fragment F on Q{x{...G}}fragment G on Q{y}".replaceAll("}fragment", "} fragment"));
  assert.equal(documentFor(text, b), "query B{b}");
});

test("leaves the spaces that tokens need", () => {
  assert.equal(minify('{ a(b: [1 2 "" "c"], d: """e  f""") ... on G { h } }'), '{a(b:[1 2 "" "c"]d:"""e  f""")...on G{h}}');
});

const formatted = [
  ["{a(b:1,c:\"x\"){d}}", '{\n  a(b: 1, c: "x") {\n    d\n  }\n}\n'],
  ["query Q($a:Int=1){a}", "query Q($a: Int = 1) {\n  a\n}\n"],
  ["# top\n{ a # one\n\n  # two\n  b }\n# end", "# top\n{\n  a # one\n\n  # two\n  b\n}\n\n# end\n"],
  ["query { a }", "query {\n  a\n}\n"],
  ["{ a(b: 1 # why\n c: 2) }", "{\n  a(\n    b: 1 # why\n    c: 2\n  )\n}\n"],
];
for (const [text, expected] of formatted) {
  test(`formats ${JSON.stringify(text)}`, () => {
    assert.equal(format(text), expected);
    assert.equal(format(expected), expected);
  });
}

test("does not format a text with an error", () => assert.equal(format("{ a"), null));
test("prints in canonical form", () => assert.equal(print(parse("query{a(b:{c:[1,2]}) @d}").document), "{\n  a(b: {c: [1, 2]}) @d\n}"));

const jsonErrors = [["{", 'Expected "}".', 1], ['{"a": }', "Expected a value, found }.", 6], ['{"a": 1,}', "A comma stands before the end of the object.", 8],
  ["{a: 1}", "Expected a name in double quotes, found a.", 1], ['{"a" 1}', 'Expected ":" behind the name.', 5], ['["\\x"]', "The string has an invalid escape or control character.", 1],
  ["[01]", "This is not a number.", 1], ["1 2", "Expected the end of the text.", 2]];
for (const [text, message, start] of jsonErrors) {
  test(`tells the error of the JSON ${text}`, () => {
    const { error } = parseJSON(text);
    assert.equal(error?.message, message);
    assert.equal(error.start, start);
  });
}

test("accepts the JSON that JSON.parse accepts, and no other", () => {
  for (const text of ["{}", "[]", '"a\\u0041"', "-0.5e+3", "[1,[2,{\"a\":null}]]", " true ", "[1,]", "01", "{\"a\":1,}", "'a'", "nul", "\"a", "[1 2]", "{\"a\"}", "1e", "\"\t\""]) {
    let isValid = true;
    try { JSON.parse(text); } catch { isValid = false; }
    assert.equal(parseJSON(text).error === null, isValid, text);
  }
});

test("formats JSON and leaves numbers as they are", () => {
  assert.equal(formatJSON('{"a":12345678901234567890,"b":[1,2],"c":{}}'), '{\n  "a": 12345678901234567890,\n  "b": [1, 2],\n  "c": {}\n}\n');
  assert.equal(formatJSON("{"), null);
});

test("lines and columns count from 1", () => {
  const text = "ab\r\nc\nd";
  assert.deepEqual(positionOf(text, 4), { line: 2, column: 1 });
  assert.equal(offsetOf(text, { line: 3, column: 1 }), 6);
  assert.equal(offsetOf(text, { line: 1, column: 99 }), 2);
  assert.equal(offsetOf(text, { line: 9, column: 1 }), text.length);
});
