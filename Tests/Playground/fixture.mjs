// A small schema as introspection would tell it.
import { Schema, typeFromText } from "../../Sources/GraphQLTransport/Playground/schema/schema.js";

const kinds = { Int: "SCALAR", Float: "SCALAR", String: "SCALAR", Boolean: "SCALAR", ID: "SCALAR", DateTime: "SCALAR" };

function type(text, known) {
  const fill = (reference) => (reference.ofType ? { ...reference, ofType: fill(reference.ofType) } : { ...reference, kind: known[reference.name] });
  return fill(typeFromText(text));
}

/** `name: Type = default`, with `?reason` behind it where it is deprecated. */
function input(text, known) {
  const [definition, reason] = text.split(" ?");
  const [, name, typeText, defaultValue] = /^(\w+): ([\w![\]]+)(?: = (.*))?$/.exec(definition);
  return { name, description: null, type: type(typeText, known), defaultValue: defaultValue ?? null, isDeprecated: reason !== undefined, deprecationReason: reason ?? null };
}

function field(text, known) {
  const [definition, reason] = text.split(" ?");
  const [, name, args, typeText] = /^(\w+)(?:\((.*)\))?: (\S+)$/.exec(definition);
  return {
    name, description: `About ${name}.`, args: args ? args.split(", ").map((argument) => input(argument, known)) : [], type: type(typeText, known),
    isDeprecated: reason !== undefined, deprecationReason: reason ?? null,
  };
}

const empty = { description: null, specifiedByURL: null, isOneOf: null, fields: null, inputFields: null, enumValues: null, interfaces: null, possibleTypes: null };

export function schemaOf(definitions) {
  const known = { ...kinds };
  for (const { kind, name } of definitions) known[name] = kind;
  const types = definitions.map(({ kind, name, fields = [], values = [], interfaces = [], members, isOneOf = false }) => {
    const base = { ...empty, kind, name, description: `A ${name}.` };
    if (kind === "ENUM") {
      return { ...base, enumValues: values.map((value) => ({ name: value.split(" ?")[0], description: null, isDeprecated: value.includes(" ?"), deprecationReason: value.split(" ?")[1] ?? null })) };
    }
    if (kind === "INPUT_OBJECT") return { ...base, isOneOf, inputFields: fields.map((text) => input(text, known)) };
    if (kind === "UNION") return { ...base, possibleTypes: members.map((member) => ({ name: member })) };
    const made = { ...base, fields: fields.map((text) => field(text, known)), interfaces: interfaces.map((other) => ({ name: other })) };
    if (kind === "INTERFACE") {
      made.possibleTypes = definitions.filter((other) => other.kind === "OBJECT" && other.interfaces?.includes(name)).map((other) => ({ name: other.name }));
    }
    return made;
  });
  types.push(...Object.keys(kinds).map((name) => ({ ...empty, kind: "SCALAR", name, description: `The scalar ${name}.` })));
  const condition = [input("if: Boolean!", known)];
  const places = ["FIELD", "FRAGMENT_SPREAD", "INLINE_FRAGMENT"];
  const directive = (name, locations, args) => ({ name, description: `About @${name}.`, locations, isRepeatable: false, args });
  return Schema.fromIntrospection({
    description: null, queryType: { name: "Query" }, mutationType: { name: "Mutation" }, subscriptionType: null, types,
    directives: [directive("skip", places, condition), directive("include", places, condition), directive("trace", ["QUERY", "VARIABLE_DEFINITION"], [])],
  });
}

export const schema = schemaOf([
  { kind: "OBJECT", name: "Query", fields: ["node(id: ID!): Node", "user(by: UserBy!): User", "posts(filter: PostFilter, order: Order = NEWEST, first: Int): [Post!]!", "search(text: String!): [Result!]!", "old: Int ?Use `posts`."] },
  { kind: "OBJECT", name: "Mutation", fields: ["rename(id: ID!, name: String!): User"] },
  { kind: "INTERFACE", name: "Node", fields: ["id: ID!"] },
  { kind: "OBJECT", name: "User", fields: ["id: ID!", "name: String!", "posts(first: Int): [Post!]!"], interfaces: ["Node"] },
  { kind: "OBJECT", name: "Post", fields: ["id: ID!", "text: String!", "at: DateTime!", "author: User!"], interfaces: ["Node"] },
  { kind: "OBJECT", name: "Tag", fields: ["label: String!"] },
  { kind: "UNION", name: "Result", members: ["User", "Post"] },
  { kind: "ENUM", name: "Order", values: ["NEWEST", "OLDEST", "RANDOM ?Not stable."] },
  { kind: "INPUT_OBJECT", name: "PostFilter", fields: ["author: ID", "tags: [String!]", "all: [PostFilter!]", "order: Order", "since: DateTime"] },
  { kind: "INPUT_OBJECT", name: "UserBy", fields: ["id: ID", "name: String"], isOneOf: true },
]);

/** The text without its `¦`, and where that stood. */
export function caret(text) { return { text: text.replace("¦", ""), offset: text.indexOf("¦") }; }
