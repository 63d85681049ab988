// @ts-check
/** @typedef {import("../types").TypeRef} TypeRef */
/** @typedef {import("../types").TypeDefinition} TypeDefinition */
/** @typedef {import("../types").FieldDefinition} FieldDefinition */
/** @typedef {import("../types").DirectiveDefinition} DirectiveDefinition */
/** @typedef {import("../types").InputDefinition} InputDefinition */
/** @typedef {import("../types").IntrospectionSchema} IntrospectionSchema */
/** @typedef {import("../types").SchemaUse} SchemaUse */
/** @typedef {import("../types").SchemaMatch} SchemaMatch */
/** @typedef {import("../types").OperationType} OperationType */

/**
 * A type as written in SDL.
 * @param {TypeRef} type
 * @returns {string}
 */
export function typeText(type) {
  if (type.kind === "NON_NULL") return typeText(/** @type {TypeRef} */ (type.ofType)) + "!";
  if (type.kind === "LIST") return `[${typeText(/** @type {TypeRef} */ (type.ofType))}]`;
  return type.name ?? "";
}

/**
 * The name inside all lists and non-null types.
 * @param {TypeRef | null | undefined} type
 * @returns {string}
 */
export function namedType(type) {
  let inner = type;
  while (inner?.ofType) inner = inner.ofType;
  return inner?.name ?? "";
}

/**
 * The type that a text such as `[ID!]` names; null where the text is no type.
 * @param {string} text
 * @returns {TypeRef | null}
 */
export function typeFromText(text) {
  const trimmed = text.trim();
  if (trimmed.endsWith("!")) {
    const ofType = typeFromText(trimmed.slice(0, -1));
    return ofType && { kind: "NON_NULL", name: null, ofType };
  }
  if (trimmed.startsWith("[") && trimmed.endsWith("]")) {
    const ofType = typeFromText(trimmed.slice(1, -1));
    return ofType && { kind: "LIST", name: null, ofType };
  }
  return /^[_A-Za-z]\w*$/.test(trimmed) ? { kind: "SCALAR", name: trimmed, ofType: null } : null;
}

/**
 * Spec: 5.8.5 AreTypesCompatible
 * @param {TypeRef | null} variable
 * @param {TypeRef | null} location
 * @returns {boolean}
 */
export function areTypesCompatible(variable, location) {
  if (!variable || !location) return false;
  if (location.kind === "NON_NULL") return variable.kind === "NON_NULL" && areTypesCompatible(variable.ofType, location.ofType);
  if (variable.kind === "NON_NULL") return areTypesCompatible(variable.ofType, location);
  if (location.kind === "LIST" || variable.kind === "LIST") {
    return location.kind === variable.kind && areTypesCompatible(variable.ofType, location.ofType);
  }
  return variable.name === location.name;
}

/**
 * Spec: 5.8.5 IsVariableUsageAllowed
 * @param {TypeRef | null} variable
 * @param {boolean} hasDefault whether the variable or the location has a default that is not null
 * @param {TypeRef} location
 */
export function isVariableAllowed(variable, hasDefault, location) {
  if (location.kind === "NON_NULL" && variable?.kind !== "NON_NULL" && hasDefault) {
    return areTypesCompatible(variable, location.ofType);
  }
  return areTypesCompatible(variable, location);
}

/**
 * Spec: 5.4.3, 5.6.4: a value without a default that must not be null.
 * @param {InputDefinition} input
 */
export const isRequired = (input) => input.type.kind === "NON_NULL" && input.defaultValue === null;

/** @type {TypeRef} */
const requiredString = { kind: "NON_NULL", name: null, ofType: { kind: "SCALAR", name: "String", ofType: null } };

/** @param {string} name @param {TypeRef} type @param {string} description @param {any[]} [args] @returns {FieldDefinition} */
function metaField(name, type, description, args = []) {
  return { name, type, description, args, isDeprecated: false, deprecationReason: null };
}

/** @param {string} name @returns {TypeRef} */
const named = (name) => ({ kind: "OBJECT", name, ofType: null });

/** Specification, 4.1 and 4.2: fields that every composite type, or the query type, has besides its own. */
export const typenameField = metaField("__typename", requiredString, "The name of the current Object type at runtime.");
const schemaField = metaField(
  "__schema", { kind: "NON_NULL", name: null, ofType: named("__Schema") }, "Access the current type schema of this server.");
const typeField = metaField("__type", named("__Type"), "Request the type information of a single type.", [
  { name: "name", type: requiredString, description: null, defaultValue: null, isDeprecated: false, deprecationReason: null },
]);

/** The schema of the server as introspection tells it, with look-ups. */
export class Schema {
  /** @param {IntrospectionSchema} introspection */
  static fromIntrospection(introspection) { return new Schema(introspection); }

  /** @param {IntrospectionSchema} introspection */
  constructor(introspection) {
    this.introspection = introspection;
    this.description = introspection.description ?? null;
    this.types = introspection.types;
    this.directives = introspection.directives;
    /** @type {Map<string, TypeDefinition>} */
    this.byName = new Map(this.types.map((type) => [type.name, type]));
    /** @type {Record<OperationType, string | null>} */
    this.roots = {
      query: introspection.queryType.name, mutation: introspection.mutationType?.name ?? null,
      subscription: introspection.subscriptionType?.name ?? null,
    };
    /** @type {Map<string, Map<string, FieldDefinition>>} */
    this.fieldMaps = new Map();
    /** @type {Map<string, Set<string>>} */
    this.possible = new Map();
    /** @type {Map<string, SchemaUse[]> | null} */
    this.uses = null;
  }

  /** @param {string} name */
  type(name) { return this.byName.get(name) ?? null; }

  /** @param {string} name @returns {DirectiveDefinition | null} */
  directive(name) { return this.directives.find((directive) => directive.name === name) ?? null; }

  /** @param {string} typeName @param {string} name @returns {FieldDefinition | null} */
  field(typeName, name) {
    const type = this.type(typeName);
    if (!type) return null;
    if (name === "__typename" && this.isComposite(typeName)) return typenameField;
    if (typeName === this.roots.query && name === "__schema") return schemaField;
    if (typeName === this.roots.query && name === "__type") return typeField;
    let fields = this.fieldMaps.get(typeName);
    if (!fields) {
      fields = new Map((type.fields ?? []).map((field) => [field.name, field]));
      this.fieldMaps.set(typeName, fields);
    }
    return fields.get(name) ?? null;
  }

  /** @param {string} name */
  isComposite(name) { return ["OBJECT", "INTERFACE", "UNION"].includes(this.type(name)?.kind ?? ""); }

  /** @param {string} name */
  isInput(name) { return ["SCALAR", "ENUM", "INPUT_OBJECT"].includes(this.type(name)?.kind ?? ""); }

  /** @param {string} name */
  isAbstract(name) { return ["INTERFACE", "UNION"].includes(this.type(name)?.kind ?? ""); }

  /**
   * The object types that a value of the type can have: the type itself for an object type.
   * @param {string} name
   * @returns {Set<string>}
   */
  possibleTypes(name) {
    let found = this.possible.get(name);
    if (!found) {
      const type = this.type(name);
      found = new Set(type?.kind === "OBJECT" ? [name] : (type?.possibleTypes ?? []).map((possible) => possible.name));
      this.possible.set(name, found);
    }
    return found;
  }

  /** @param {string} first @param {string} second */
  overlap(first, second) {
    const own = this.possibleTypes(first), others = this.possibleTypes(second);
    const [few, many] = own.size < others.size ? [own, others] : [others, own];
    for (const name of few) if (many.has(name)) return true;
    return false;
  }

  /**
   * Fields, arguments and input fields of the type, and unions and implementations that list it.
   * @param {string} name
   * @returns {SchemaUse[]}
   */
  usedBy(name) {
    if (!this.uses) {
      /** @type {Map<string, SchemaUse[]>} */
      const uses = new Map();
      /** @param {string} used @param {string} type @param {string | null} member @param {string | null} argument */
      const note = (used, type, member, argument) => {
        const list = uses.get(used) ?? [];
        list.push({ type, member, argument });
        uses.set(used, list);
      };
      for (const type of this.types) {
        for (const field of type.fields ?? []) {
          note(namedType(field.type), type.name, field.name, null);
          for (const argument of field.args) note(namedType(argument.type), type.name, field.name, argument.name);
        }
        for (const field of type.inputFields ?? []) note(namedType(field.type), type.name, field.name, null);
        for (const { name: used } of type.interfaces ?? []) note(used, type.name, null, null);
        if (type.kind === "UNION") for (const { name: used } of type.possibleTypes ?? []) note(used, type.name, null, null);
      }
      this.uses = uses;
    }
    return this.uses.get(name) ?? [];
  }

  /**
   * Names that contain the term: types before members, members before arguments, a beginning before a middle. After them
   * come the definitions whose descriptions contain it.
   * @param {string} term
   * @param {number} [limit]
   * @returns {SchemaMatch[]}
   */
  search(term, limit = 80) {
    const wanted = term.trim().toLowerCase();
    if (!wanted) return [];
    /** @type {{ rank: number, match: SchemaMatch }[]} */
    const found = [];
    /** @param {string} name @param {number} level @param {SchemaMatch} match */
    const consider = (name, level, match) => {
      const at = name.toLowerCase().indexOf(wanted), dotted = match.label.toLowerCase();
      if (at >= 0) found.push({ rank: level * 3 + (name.length === wanted.length ? 0 : at === 0 ? 1 : 2), match });
      else if (dotted.startsWith(wanted)) found.push({ rank: level * 3 + 1, match });
      else if (match.description?.toLowerCase().includes(wanted)) found.push({ rank: 20 + level, match });
    };
    for (const type of this.types) {
      if (type.name.startsWith("__") && !wanted.startsWith("__")) continue;
      consider(type.name, 0, { kind: "type", type: type.name, label: type.name, description: type.description });
      for (const member of type.fields ?? type.inputFields ?? type.enumValues ?? []) {
        const label = `${type.name}.${member.name}`;
        consider(member.name, 1, { kind: "member", type: type.name, member: member.name, label, description: member.description });
        for (const argument of /** @type {FieldDefinition} */ (member).args ?? []) {
          consider(argument.name, 2, {
            kind: "argument", type: type.name, member: member.name, argument: argument.name,
            label: `${label}(${argument.name}:)`, description: argument.description,
          });
        }
      }
    }
    for (const directive of this.directives) {
      consider(directive.name, 0, {
        kind: "directive", directive: directive.name, label: `@${directive.name}`, description: directive.description,
      });
    }
    return found.sort((a, b) => a.rank - b.rank).slice(0, limit).map(({ match }) => match);
  }
}
