// @ts-check
/** @typedef {import("../types").IntrospectionSchema} IntrospectionSchema */
/** @typedef {import("../types").Mark} Mark */

/** Validates in a worker, so that typing never waits. The policy must allow `worker-src 'self'`. */
export class Validator {
  /**
   * Without a schema only the syntax is checked.
   * @param {IntrospectionSchema | null} introspection
   */
  setSchema(introspection) { void introspection; }

  /**
   * The marks of the text; null where a later call has replaced this one.
   * @param {string} text
   * @returns {Promise<Mark[] | null>}
   */
  async validate(text) { void text; return []; }

  dispose() {}
}
