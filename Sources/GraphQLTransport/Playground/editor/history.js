// @ts-check

/**
 * A replacement of a part of the text.
 * @typedef {{ start: number, removed: string, inserted: string }} Change
 * @typedef {{ anchor: number, head: number, others?: Selection[] }} Selection `others` are those of further carets
 * @typedef {{ changes: Change[], before: Selection, after: Selection, kind: string, time: number }} Step
 */

const maximumSteps = 500;
/** Typing that pauses for longer is a step of its own. In milliseconds. */
const pause = 700;

/** What was changed, so that it can be undone and done again. */
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
