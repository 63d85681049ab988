const introspectionQuery = `query Playground { __schema {
  description queryType { name } mutationType { name } subscriptionType { name }
  types { kind name description specifiedByURL isOneOf
    fields(includeDeprecated: true) { name description isDeprecated deprecationReason type { ...Type }
      args(includeDeprecated: true) { ...Input } }
    inputFields(includeDeprecated: true) { ...Input }
    enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason }
    interfaces { name } possibleTypes { name } }
  directives { name description locations isRepeatable args { ...Input } } } }
fragment Input on __InputValue { name description defaultValue isDeprecated deprecationReason type { ...Type } }
fragment Type on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } } }`;

const executableLocations = new Set(["QUERY", "MUTATION", "SUBSCRIPTION", "FIELD", "FRAGMENT_SPREAD", "INLINE_FRAGMENT", "FRAGMENT_DEFINITION", "VARIABLE_DEFINITION"]);
const typeText = (type) => type.kind === "NON_NULL" ? typeText(type.ofType) + "!" : type.kind === "LIST" ? `[${typeText(type.ofType)}]` : type.name;
const namedType = (type) => { while (type?.ofType) type = type.ofType; return type?.name; };

class SchemaModel {
  constructor(introspection) {
    Object.assign(this, introspection);
    this.byName = new Map(this.types.map((type) => [type.name, type]));
    this.roots = { query: this.queryType?.name, mutation: this.mutationType?.name, subscription: this.subscriptionType?.name };
  }

  type(name) { return this.byName.get(name); }

  field(typeName, name) {
    if (name === "__typename") return { name, args: [], type: { kind: "NON_NULL", ofType: { kind: "SCALAR", name: "String" } } };
    if (typeName === this.roots.query && name === "__schema") return { name, args: [], type: { kind: "OBJECT", name: "__Schema" } };
    if (typeName === this.roots.query && name === "__type") return this.metaType;
    return this.type(typeName)?.fields?.find((field) => field.name === name);
  }

  get metaType() {
    const string = { kind: "NON_NULL", ofType: { kind: "SCALAR", name: "String" } };
    return { name: "__type", type: { kind: "OBJECT", name: "__Type" }, args: [{ name: "name", type: string }] };
  }

  // What may stand at the offset: `{ prefix, items: [{ label, detail, isOld }] }`.
  complete(text, offset) {
    const tokens = tokenize(text.slice(0, offset));
    const last = tokens.at(-1);
    let prefix = "";
    if (last && ["name", "variable", "directive"].includes(last.kind)) { prefix = last.text; tokens.pop(); }
    else if (last && ["comment", "string", "block"].includes(last.kind)) return { prefix, items: [] };
    const place = this.placeAfter(tokens.filter(isMeaningful));
    const items = this.itemsAt(place, prefix, text).filter((item) => item.label.toLowerCase().includes(prefix.toLowerCase()));
    const rank = (item) => item.label.toLowerCase().startsWith(prefix.toLowerCase()) ? 0 : 1;
    return { prefix, items: items.sort((a, b) => rank(a) - rank(b)).slice(0, 100) };
  }

  // Walks the tokens with a stack of what is open.
  placeAfter(tokens) {
    const stack = [{ kind: "document", root: this.roots.query }];
    let spread = false, on = false, type = null, args = [];
    for (const token of tokens) {
      const top = stack.at(-1), text = token.text;
      if (top.kind === "document") {
        if (token.kind === "name") {
          if (on) { top.root = text; on = false; }
          else if (text in this.roots) top.root = this.roots[text];
          else if (text === "on") on = true;
        } else if (text === "{") { stack.push({ kind: "selection", type: top.root }); top.root = this.roots.query; }
        else if (text === "(") stack.push({ kind: "variables" });
      } else if (top.kind === "variables") {
        if (text === ")") stack.pop();
        top.wantsType = text === ":" || text === "[";
      } else if (top.kind === "selection") {
        if (token.kind === "spread") { spread = true; type = top.type; }
        else if (token.kind === "directive") args = this.directives.find((d) => "@" + d.name === text)?.args ?? [];
        else if (token.kind === "name") {
          if (spread && text === "on") on = true;
          else if (on) { type = text; on = spread = false; }
          else if (spread) spread = false;
          else { const field = this.field(top.type, text); type = namedType(field?.type); args = field?.args ?? []; }
        } else if (text === "(") stack.push({ kind: "inputs", inputs: args });
        else if (text === "{") { stack.push({ kind: "selection", type }); spread = false; }
        else if (text === "}") { stack.pop(); type = null; }
      } else {
        if (text === ")" || text === "}" || text === "]") { stack.pop(); const below = stack.at(-1); below.input = null; }
        else if (text === "{") stack.push({ kind: "inputs", inputs: this.type(namedType(top.input?.type))?.inputFields ?? [] });
        else if (text === "[") stack.push({ kind: "list", input: top.input, isValue: true });
        else if (text === ":") top.isValue = true;
        else if (top.kind === "inputs" && token.kind === "name" && !top.isValue) top.input = top.inputs.find((input) => input.name === text);
        else if (top.kind === "inputs") { top.isValue = false; top.input = null; }
      }
    }
    return { ...stack.at(-1), spread, on };
  }

  itemsAt(place, prefix, text) {
    const composite = (type) => ["OBJECT", "INTERFACE", "UNION"].includes(type.kind);
    const named = (types) => types.map((type) => ({ label: type.name, detail: type.kind.toLowerCase() }));
    if (prefix.startsWith("@")) return this.directives.filter((d) => d.locations.some((l) => executableLocations.has(l))).map((d) => ({ label: "@" + d.name, detail: d.description ?? "" }));
    if (place.on) return named(this.types.filter((type) => composite(type) && !type.name.startsWith("__")));
    if (place.kind === "document") return ["query", "mutation", "subscription", "fragment"].map((label) => ({ label, detail: "keyword" }));
    if (place.kind === "variables") return place.wantsType ? named(this.types.filter((t) => ["SCALAR", "ENUM", "INPUT_OBJECT"].includes(t.kind) && !t.name.startsWith("__"))) : [];
    if (place.kind === "selection") {
      if (place.spread) {
        const fragments = [...text.matchAll(/fragment\s+([_A-Za-z]\w*)\s+on/g)].map((match) => ({ label: match[1], detail: "fragment" }));
        return [{ label: "on", detail: "keyword" }, ...fragments];
      }
      const fields = (this.type(place.type)?.fields ?? []).map((field) => ({ label: field.name, detail: typeText(field.type), isOld: field.isDeprecated }));
      return this.type(place.type) ? [...fields, { label: "__typename", detail: "String!" }] : [];
    }
    if (!place.isValue) return place.inputs.map((input) => ({ label: input.name, detail: typeText(input.type), insert: input.name + ": ", isOld: input.isDeprecated }));
    const type = this.type(namedType(place.input?.type));
    const variables = [...new Set([...text.matchAll(/\$[_A-Za-z]\w*/g)].map((match) => match[0]))].map((label) => ({ label, detail: "variable" }));
    const values = type?.kind === "ENUM" ? type.enumValues.map((value) => ({ label: value.name, detail: type.name, isOld: value.isDeprecated }))
      : type?.name === "Boolean" ? [{ label: "true", detail: "Boolean" }, { label: "false", detail: "Boolean" }] : [];
    return [...values, ...variables];
  }

  // Types first, then fields; a type's own name matters more than a part of it.
  search(term) {
    const wanted = term.toLowerCase(), found = [];
    for (const type of this.types) {
      if (type.name.toLowerCase().includes(wanted)) found.push({ type, rank: type.name.toLowerCase().startsWith(wanted) ? 0 : 1 });
      for (const field of type.fields ?? type.inputFields ?? []) {
        if (!type.name.startsWith("__") && field.name.toLowerCase().includes(wanted)) found.push({ type, field, rank: field.name.toLowerCase().startsWith(wanted) ? 2 : 3 });
      }
    }
    return found.sort((a, b) => a.rank - b.rank).slice(0, 60);
  }
}
