// @ts-check
/** @typedef {import("../types").LineToken} LineToken */
/** @typedef {import("../types").LineLexer} LineLexer */
import { initialState, lexJSONLine, lexLine, lexNothing } from "../language/lexer.js";

/** @type {Record<string, LineLexer>} */
const lexers = { graphql: lexLine, json: lexJSONLine, text: lexNothing };

/** A line of the text, what is known of its tokens, and its element. */
export class Line {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    /** @type {string | null} the state in which its tokens were read */
    this.state = null;
    this.endState = "";
    /** @type {LineToken[]} */
    this.tokens = [];
    /** @type {HTMLElement | null} */
    this.element = null;
    /** @type {LineToken[] | null} the tokens that the element shows */
    this.painted = null;
    this.isFolded = false;
    this.isHidden = false;
  }
}

/**
 * The text as lines. Lines end with a line feed alone; a CRLF or a carriage return becomes one. Tokens are read when asked
 * for, and again from a change on only as far as lines are asked for.
 */
export class Lines {
  /**
   * @param {string} text
   * @param {string} language
   */
  constructor(text, language) {
    this.language = language;
    this.all = split(text).map((line) => new Line(line));
    /** @type {number[]} the offsets at which lines begin; those from `known` on are to be added up again */
    this.starts = [0];
    this.known = 1;
    /** Lines of a smaller index have tokens that fit the state before them. */
    this.lexed = 0;
    /** @type {string | null} */
    this.joined = null;
  }

  get count() { return this.all.length; }

  get value() { return (this.joined ??= this.all.map((line) => line.text).join("\n")); }

  get length() { return this.startOf(this.count - 1) + this.all[this.count - 1].text.length; }

  /** @param {number} index */
  startOf(index) {
    for (; this.known <= index; this.known += 1) {
      this.starts[this.known] = this.starts[this.known - 1] + this.all[this.known - 1].text.length + 1;
    }
    return this.starts[index];
  }

  /**
   * @param {number} offset
   * @returns {{ line: number, column: number }} both from 0
   */
  at(offset) {
    this.startOf(this.count - 1);
    let low = 0, high = this.count - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle] <= offset) low = middle; else high = middle - 1;
    }
    return { line: low, column: Math.min(Math.max(offset - this.starts[low], 0), this.all[low].text.length) };
  }

  /**
   * @param {number} start
   * @param {number} end
   */
  slice(start, end) {
    const from = this.at(start), to = this.at(end);
    if (from.line === to.line) return this.all[from.line].text.slice(from.column, to.column);
    const middle = this.all.slice(from.line + 1, to.line).map((line) => line.text);
    return [this.all[from.line].text.slice(from.column), ...middle, this.all[to.line].text.slice(0, to.column)].join("\n");
  }

  /**
   * Replaces a part of the text.
   * @param {number} start
   * @param {number} end
   * @param {string} text
   * @returns {{ first: number, removed: Line[], added: Line[] }} lines behind the first that went and came
   */
  replace(start, end, text) {
    const from = this.at(start), to = this.at(end);
    const tail = this.all[to.line].text.slice(to.column);
    const parts = split(text);
    const line = this.all[from.line];
    parts[0] = line.text.slice(0, from.column) + parts[0];
    parts[parts.length - 1] += tail;
    line.text = parts[0];
    line.state = null;
    const added = parts.slice(1).map((part) => new Line(part));
    const removed = this.all.splice(from.line + 1, to.line - from.line, ...added);
    this.known = Math.min(this.known, from.line + 1);
    this.lexed = Math.min(this.lexed, from.line);
    this.joined = null;
    return { first: from.line, removed, added };
  }

  /**
   * The tokens of a line, after those of the lines before it.
   * @param {number} index
   * @returns {LineToken[]}
   */
  tokensOf(index) {
    const lex = lexers[this.language];
    for (; this.lexed <= index; this.lexed += 1) {
      const state = this.lexed === 0 ? initialState : this.all[this.lexed - 1].endState;
      const line = this.all[this.lexed];
      if (line.state === state) continue;
      const result = lex(line.text, state);
      line.tokens = result.tokens;
      line.state = state;
      line.endState = result.state;
    }
    return this.all[index].tokens;
  }

  /** Forgets all tokens, for another language. */
  relex() {
    this.lexed = 0;
    for (const line of this.all) line.state = null;
  }
}

/** @param {string} text */
function split(text) { return text.includes("\r") ? text.split(/\r\n|[\n\r]/) : text.split("\n"); }

/**
 * A replacement of a part of the text.
 * @typedef {{ start: number, removed: string, inserted: string }} Change
 * @typedef {{ anchor: number, head: number, others?: Selection[] }} Selection `others` are those of further carets
 * @typedef {{ changes: Change[], before: Selection, after: Selection, kind: string, time: number }} Step
 */

const maximumSteps = 500;
/** Typing that pauses for longer is a step of its own. In milliseconds. */
const pause = 700;

/** The changes of a text, so that they can be undone and done again. */
export class History {
  constructor() {
    /** @type {Step[]} */
    this.done = [];
    /** @type {Step[]} */
    this.undone = [];
  }

  /**
   * Steps of one kind that follow each other closely become one: typing, or deleting.
   * @param {Step} step
   */
  add(step) {
    this.undone = [];
    const last = this.done[this.done.length - 1];
    if (last && this.continues(last, step)) {
      last.changes.push(...step.changes);
      last.after = step.after;
      last.time = step.time;
      return;
    }
    this.done.push(step);
    if (this.done.length > maximumSteps) this.done.shift();
  }

  /**
   * @param {Step} last
   * @param {Step} step
   */
  continues(last, step) {
    if (step.kind === "" || last.kind !== step.kind || step.time - last.time > pause) return false;
    const joins = (last.after.others?.length ?? 0) === (step.before.others?.length ?? 0) && last.after.head === step.before.head && last.after.anchor === step.before.anchor;
    const startsWord = /^\s/.test(step.changes[0].inserted) && !/\s$/.test(last.changes[last.changes.length - 1].inserted);
    return joins && !startsWord;
  }

  undo() {
    const step = this.done.pop();
    if (step) this.undone.push(step);
    return step ?? null;
  }

  redo() {
    const step = this.undone.pop();
    if (step) this.done.push({ ...step, kind: "" });
    return step ?? null;
  }
}
