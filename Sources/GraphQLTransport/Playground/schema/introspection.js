// @ts-check

/** Asks for all that `Schema.fromIntrospection` reads. */
export const introspectionQuery = `query Playground { __schema {
  description queryType { name } mutationType { name } subscriptionType { name }
  types { kind name description specifiedByURL isOneOf
    fields(includeDeprecated: true) { name description isDeprecated deprecationReason type { ...Type }
      args(includeDeprecated: true) { ...Input } }
    inputFields(includeDeprecated: true) { ...Input }
    enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason }
    interfaces { name } possibleTypes { name } }
  directives { name description locations isRepeatable args(includeDeprecated: true) { ...Input } } } }
fragment Input on __InputValue { name description defaultValue isDeprecated deprecationReason type { ...Type } }
fragment Type on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } } }`;
