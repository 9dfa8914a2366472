import { runSteps } from '../../../platform/async/run-steps.js';
import { unitFolding } from './unit-folding.js';

/** Where a keyword ends in a text. */
export type KeywordSink = (keyword: number, end: number) => void;

/** Spaces, tabs and line ends in a row that can stand for one. */
const MOST_SPACES = 16;
/** What stands for spaces, tabs and line ends. */
export const SPACE = 0x20;

/** How many entries the dense part of the transition table may have: 16 MiB. */
const MOST_DENSE_ENTRIES = 4 * 1024 * 1024;

/** So many states, or rows of the table, are worked on in one step. */
const STEP_STATES = 1_024;
const STEP_ENTRIES = 262_144;

/**
 * Finds all occurrences of any number of keywords in one pass, whatever their case (Aho and Corasick, 1975). States are
 * numbered by their depth: the shallow ones, in which texts are most of the time, have a row of a dense table each, and
 * the others have their few children and go by their failure links.
 */
export class KeywordAutomaton {
  /** The class of each UTF-16 unit; 0 is in no keyword. */
  private readonly classes = new Uint16Array(0x10000);
  private classCount = 1;
  private denseStates = 1;
  /** The rows that follow each unit in each of the dense states; the states themselves until all are linked. */
  private dense = new Int32Array(0);
  private denseEnd = 0;
  private isLinked = false;
  private readonly children: (Map<number, number> | undefined)[] = [undefined];
  private failures = new Int32Array(0);
  private depths = new Int32Array(0);
  /** The keywords that end in a state, without those of its failure links. */
  private readonly ends: (number[] | undefined)[] = [undefined];
  /** The nearest state along the failure links in which a keyword ends, or 0. */
  private outputs = new Int32Array(0);

  /** The class of spaces where several stand for one, else -1. */
  private joinedSpace = -1;

  /**
   * @param keywords each with at least one UTF-16 unit; spaces, tabs and line ends stand for each other
   * @param joinsSpaces whether up to 16 of those in a row stand for one; no keyword has two of them in a row then
   */
  constructor(keywords: readonly string[], joinsSpaces = false) {
    if (keywords.length > 0) runSteps(this.build(keywords, joinsSpaces));
  }

  /** The same in short steps; undefined where there are no keywords. */
  static *steps(
    keywords: readonly string[],
    joinsSpaces = false,
  ): Generator<void, KeywordAutomaton | undefined, undefined> {
    if (keywords.length === 0) return undefined;
    const automaton = new KeywordAutomaton([]);
    yield* automaton.build(keywords, joinsSpaces);
    return automaton;
  }

  /** Looks through a text from a place in the first state. Answers the state at its end. */
  scan(text: string, from: number, found: KeywordSink): number {
    const { classes, dense, denseEnd, joinedSpace } = this;
    let row = 0;
    let spaces = 0;
    for (let at = from; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (classes[code] === joinedSpace) {
        spaces += 1;
        if (spaces > 1 && spaces <= MOST_SPACES) continue;
      } else spaces = 0;
      row = row < denseEnd ? (dense[row + (classes[code] ?? 0)] ?? 0) : this.nextRow(row, code);
      if (row < 0) {
        row = ~row;
        this.report(this.toState(row), at + 1, found);
      }
    }
    return this.toState(row);
  }

  /**
   * Answers the lengths of the ends of a text that begin a keyword, the longest first, by the state at its end; spaces
   * that stand for one count as one.
   */
  *openLengths(state: number): Generator<number> {
    for (let current = state; current !== 0; current = this.failures[current] ?? 0) {
      if (this.children[current]) yield this.depths[current] ?? 0;
    }
  }

  /** The row of a state: where it begins in the dense table, or behind that; complemented where a keyword ends. */
  private toRow(state: number): number {
    const row = state < this.denseStates ? state * this.classCount : this.denseEnd + state - this.denseStates;
    return this.outputs[state] === 0 ? row : ~row;
  }

  private toState(row: number): number {
    return row < this.denseEnd ? row / this.classCount : row - this.denseEnd + this.denseStates;
  }

  private nextRow(row: number, code: number): number {
    return this.toRow(this.step(this.toState(row), this.classes[code] ?? 0));
  }

  private report(state: number, end: number, found: KeywordSink): void {
    let current = this.outputs[state] ?? 0;
    while (current !== 0) {
      for (const keyword of this.ends[current] ?? []) found(keyword, end);
      current = this.outputs[this.failures[current] ?? 0] ?? 0;
    }
  }

  private *build(keywords: readonly string[], joinsSpaces: boolean): Generator<void, void, undefined> {
    this.classifyUnits(keywords);
    this.joinedSpace = (joinsSpaces && this.classes[SPACE]) || -1;
    const depths = [0];
    for (const [index, keyword] of keywords.entries()) {
      yield;
      this.insert(keyword, index, depths);
    }
    yield;
    const order = yield* this.numberByDepth(depths);
    this.depths = Int32Array.from(order, (state) => depths[state] ?? 0);
    this.failures = new Int32Array(this.children.length);
    this.outputs = new Int32Array(this.children.length);
    yield* this.link();
  }

  private classifyUnits(keywords: readonly string[]): void {
    const folding = unitFolding();
    const byFolded = new Map<number, number>();
    for (const keyword of keywords) {
      for (let at = 0; at < keyword.length; at += 1) {
        const folded = folding[keyword.charCodeAt(at)] ?? 0;
        if (!byFolded.has(folded)) byFolded.set(folded, byFolded.size + 1);
      }
    }
    for (let code = 0; code < 0x10000; code += 1) this.classes[code] = byFolded.get(folding[code] ?? 0) ?? 0;
    this.classCount = byFolded.size + 1;
  }

  private insert(keyword: string, index: number, depths: number[]): void {
    let state = 0;
    for (let at = 0; at < keyword.length; at += 1) {
      const unit = this.classes[keyword.charCodeAt(at)] ?? 0;
      let child = this.children[state]?.get(unit);
      if (child === undefined) {
        child = this.children.length;
        (this.children[state] ??= new Map()).set(unit, child);
        this.children.push(undefined);
        this.ends.push(undefined);
        depths.push(at + 1);
      }
      state = child;
    }
    (this.ends[state] ??= []).push(index);
  }

  /** Gives the states their final numbers. Answers the former number of each. */
  private *numberByDepth(depths: readonly number[]): Generator<void, number[], undefined> {
    const byDepth: number[][] = [];
    depths.forEach((depth, state) => (byDepth[depth] ??= []).push(state));
    const order = byDepth.flat();
    const numbers = new Int32Array(order.length);
    order.forEach((state, number) => {
      numbers[state] = number;
    });
    const [children, ends] = [this.children.slice(), this.ends.slice()];
    for (const [number, state] of order.entries()) {
      if (number % STEP_STATES === 0) yield;
      const known = children[state];
      this.children[number] = known && new Map([...known].map(([unit, child]) => [unit, numbers[child] ?? 0]));
      this.ends[number] = ends[state];
    }
    return order;
  }

  /** Sets failure links, outputs and the dense rows, a state after all that are shallower. */
  private *link(): Generator<void, void, undefined> {
    const { children, failures, outputs, classCount } = this;
    this.denseStates = Math.max(1, Math.min(children.length, Math.floor(MOST_DENSE_ENTRIES / classCount)));
    this.denseEnd = this.denseStates * classCount;
    this.dense = new Int32Array(this.denseEnd);
    for (let state = 0; state < children.length; state += 1) {
      if (state % STEP_STATES === 0) yield;
      const failure = failures[state] ?? 0;
      outputs[state] = this.ends[state] ? state : (outputs[failure] ?? 0);
      const row = state * classCount;
      const isDense = state < this.denseStates;
      // The row of a state is that of its failure link, but for its own children.
      if (isDense && state > 0) this.dense.copyWithin(row, failure * classCount, (failure + 1) * classCount);
      for (const [unit, child] of children[state] ?? []) {
        failures[child] = state === 0 ? 0 : this.step(failure, unit);
        if (isDense) this.dense[row + unit] = child;
      }
    }
    this.isLinked = true;
    for (let entry = 0; entry < this.denseEnd; entry += 1) {
      if (entry % STEP_ENTRIES === 0) yield;
      this.dense[entry] = this.toRow(this.dense[entry] ?? 0);
    }
  }

  /** The state after a unit of a class that follows a state. */
  private step(state: number, unit: number): number {
    let current = state;
    while (current >= this.denseStates) {
      const child = this.children[current]?.get(unit);
      if (child !== undefined) return child;
      current = this.failures[current] ?? 0;
    }
    const next = this.dense[current * this.classCount + unit] ?? 0;
    return this.isLinked ? this.toState(next < 0 ? ~next : next) : next;
  }
}
