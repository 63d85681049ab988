// @ts-check
import { requestHeaders } from "../run/operation.js";
import { introspectionQuery } from "../schema/introspection.js";
import { Schema } from "../schema/schema.js";

/** The schema as this client may read it. `change` is dispatched when another one is there. */
export class SchemaSource extends EventTarget {
  /** @param {string} endpoint */
  constructor(endpoint) {
    super();
    this.endpoint = endpoint;
    /** @type {Schema | null} */
    this.schema = null;
    this.state = "Loading the schema …";
    this.number = 0;
  }

  /**
   * Reads the schema anew; a later call takes this one's place.
   * @param {string | null} token @param {Record<string, string>} headers
   */
  async load(token, headers) {
    const number = this.number += 1;
    let introspection = null, state = "";
    try {
      const response = await fetch(this.endpoint, {
        method: "POST", body: JSON.stringify({ query: introspectionQuery }),
        headers: requestHeaders({ "Content-Type": "application/json", Accept: "application/json" }, token, headers),
      });
      const answer = await response.json();
      introspection = answer.data?.__schema ?? null;
      state = introspection ? "" : `The server does not show its schema to this client: ${answer.errors?.[0]?.message ?? response.statusText} Operations run all the same. Sign in, and the schema loads if you may read it.`;
    } catch {
      state = "The server cannot be reached, or gave no GraphQL answer.";
    }
    if (number !== this.number) return;
    this.state = state;
    // A schema that was read once stays for completion, should a later session not be allowed to read it.
    if (introspection) this.schema = Schema.fromIntrospection(introspection);
    this.dispatchEvent(new Event("change"));
  }
}
