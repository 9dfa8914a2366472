import type { MatchCollector, SearchWindow } from '../match-collector.js';
import { LONGEST_MATCH, MatchLimitExceeded } from '../match-limit-exceeded.js';
import { findEarliestStart } from './earliest-start.js';
import { OPERATION } from './pattern-program.js';
import type { PatternProgram } from './pattern-program.js';
import type { SearchMemory } from './search-memory.js';
import type { WaitingThreads } from './thread-list.js';

/** RE2's conditions between two characters. */
const BEGIN_LINE = 1;
const END_LINE = 2;
const BEGIN_TEXT = 4;
const END_TEXT = 8;
const WORD_BOUNDARY = 16;
const NO_WORD_BOUNDARY = 32;
const NEEDS_NEXT = END_LINE | END_TEXT | WORD_BOUNDARY | NO_WORD_BOUNDARY;

const NONE = -1;
/** How often each character may be looked at again on average, and how many may be without that. */
const MOST_REPEATS = 64;
const FREE_REPEATS = 1_000_000;

/**
 * Finds the matches of one pattern in a text that comes in pieces: leftmost first, as RE2 does, without captures (the
 * machine of Rob Pike in Russ Cox's "Regular Expression Matching: the Virtual Machine Approach", 2009). Its threads stay
 * from piece to piece, and the first of them says where the text begins that may still become a match.
 */
export class PatternSearch {
  /** The threads that wait for the next piece, if any do. */
  private waiting: WaitingThreads | undefined;
  /** How far it has come, in units of the whole text. */
  private position = 0;
  private matchStart = NONE;
  private matchEnd = NONE;
  private allowance = FREE_REPEATS;
  /** Where the last literal ends that was passed. */
  private lastLiteral = Number.NEGATIVE_INFINITY;

  /**
   * @param rules the positions of the rules that have the pattern
   * @param memory for as many instructions as the program has or more; others may use it between the pieces
   */
  constructor(
    private readonly program: PatternProgram,
    private readonly rules: readonly number[],
    private readonly memory: SearchMemory,
  ) {}

  /**
   * Goes on to the end of a window.
   * @param origin where in the whole text the window begins
   * @param literalEnds where in the window the program's literals end, in order; not looked at where it has none
   * @throws MatchLimitExceeded where a candidate is longer than `LONGEST_MATCH`, wherever the text was cut, and where the
   *   pattern has to look ahead too far too often
   */
  advance(window: SearchWindow, origin: number, literalEnds: readonly number[], found: MatchCollector): void {
    const { text, isFinal } = window;
    if (this.waiting) this.memory.threads.restore(this.waiting);
    else this.memory.threads.clear();
    let at = this.position - origin;
    this.allowance += Math.max(0, text.length - at) * MOST_REPEATS;
    for (;;) {
      at = this.run(text, at, origin, literalEnds, found);
      if (isFinal) this.step(origin + at, this.conditions(text, at, origin), NONE);
      else if (!this.isIdle) this.decideAtEnd(text, origin, found);
      if (this.memory.threads.length > 0 || this.matchStart === NONE) break;
      at = this.report(text, text.length, origin, found);
      if (at > text.length) break;
    }
    this.position = origin + text.length;
    this.waiting = this.memory.threads.length > 0 ? this.memory.threads.save() : undefined;
  }

  /** Takes all characters from a place to the end of what is known. Answers the end. */
  private run(
    text: string,
    from: number,
    origin: number,
    literalEnds: readonly number[],
    found: MatchCollector,
  ): number {
    let [at, literal, literalSoughtUntil] = [from, 0, from];
    while (at < text.length) {
      while ((literalEnds[literal] ?? text.length) <= at) {
        this.lastLiteral = origin + (literalEnds[literal] ?? 0);
        literal += 1;
      }
      const literalEnd = literalEnds[literal] ?? text.length;
      if (this.cannotMatch(origin + at, origin + literalEnd)) {
        this.memory.threads.clear();
        literalSoughtUntil = at;
      }
      if (this.isIdle) {
        if (this.program.literals && at >= literalSoughtUntil) {
          ({ at, until: literalSoughtUntil } = findEarliestStart(this.program, text, at, literalEnd));
        }
        at = this.findFirst(text, at);
        if (at >= text.length) break;
      }
      const codePoint = text.codePointAt(at) ?? 0;
      this.step(origin + at, this.conditions(text, at, origin), codePoint);
      at += codePoint > 0xffff ? 2 : 1;
      if (this.memory.threads.length === 0 && this.matchStart !== NONE) {
        at = this.report(text, at, origin, found);
        while (literal > 0 && (literalEnds[literal - 1] ?? 0) > at) literal -= 1;
      }
    }
    return text.length;
  }

  /** Whether nothing that was read can be part of a match. */
  private get isIdle(): boolean {
    return this.memory.threads.length === 0 && this.matchStart === NONE;
  }

  /** Whether no thread can have had a literal in it, nor get to the next one. */
  private cannotMatch(position: number, nextLiteral: number): boolean {
    const { literals, longest } = this.program;
    if (!literals || this.memory.threads.length === 0 || this.matchStart !== NONE) return false;
    // A thread that grows too old must do so even where the next literal is known to be too far.
    if (longest > LONGEST_MATCH) return false;
    return this.lastLiteral < position - longest && nextLiteral > position + longest;
  }

  /** The next place with a character that a match can begin with. */
  private findFirst(text: string, from: number): number {
    const { firsts } = this.program;
    let at = from;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      if (code > 127 || firsts[code] === 1) return at;
      at += 1;
    }
    return at;
  }

  /** Which conditions hold before a place. */
  private conditions(text: string, at: number, origin: number): number {
    const isFirst = origin + at === 0;
    const before = isFirst ? NONE : text.charCodeAt(at - 1);
    const after = at < text.length ? text.charCodeAt(at) : NONE;
    let conditions = isWordCode(before) === isWordCode(after) ? NO_WORD_BOUNDARY : WORD_BOUNDARY;
    if (isFirst) conditions |= BEGIN_TEXT;
    if (isFirst || before === 10) conditions |= BEGIN_LINE;
    if (after === NONE) conditions |= END_TEXT;
    if (after === NONE || after === 10) conditions |= END_LINE;
    return conditions;
  }

  /**
   * Takes a character (or the end of the text) at a position: the threads go on that can.
   * @throws MatchLimitExceeded where the first of them, which is the oldest, would have to go on for too long
   */
  private step(position: number, conditions: number, codePoint: number): void {
    const { program, memory } = this;
    const { current, threads, nextThreads } = memory;
    this.expandAll(position, conditions);
    const isTooLong = current.length > 0 && position - (current.starts[0] ?? 0) > LONGEST_MATCH;
    if (isTooLong && codePoint !== NONE) throw new MatchLimitExceeded();
    for (let index = 0; index < current.length; index += 1) {
      const place = current.places[index] ?? 0;
      const start = current.starts[index] ?? 0;
      if (program.operations[place] === OPERATION.match) {
        [this.matchStart, this.matchEnd] = [start, position];
        break;
      }
      const out = program.outs[place] ?? 0;
      if (codePoint !== NONE && program.takes(place, codePoint) && nextThreads.see(out)) nextThreads.push(out, start);
    }
    [memory.threads, memory.nextThreads] = [nextThreads, threads];
    threads.clear();
  }

  /** Follows all threads to where they take a character; a new one begins where nothing has matched. */
  private expandAll(position: number, conditions: number): void {
    this.expandThreads(conditions);
    if (this.matchStart === NONE) this.expand(this.program.start, position, conditions);
  }

  private expandThreads(conditions: number): void {
    const { current, threads } = this.memory;
    current.clear();
    for (let index = 0; index < threads.length; index += 1) {
      this.expand(threads.places[index] ?? 0, threads.starts[index] ?? 0, conditions);
    }
  }

  private expand(from: number, start: number, conditions: number): void {
    const { operations, outs, args } = this.program;
    const { current, stack } = this.memory;
    stack.push(from);
    while (stack.length > 0) {
      const place = stack.pop() ?? 0;
      if (!current.see(place)) continue;
      const operation = operations[place] ?? 0;
      if (operation === OPERATION.match || operation >= OPERATION.runes) current.push(place, start);
      else if (operation <= OPERATION.alternativeMatch) stack.push(args[place] ?? 0, outs[place] ?? 0);
      else if (operation === OPERATION.emptyWidth) {
        if (((args[place] ?? 0) & ~conditions) === 0) stack.push(outs[place] ?? 0);
      } else if (operation !== OPERATION.fail) stack.push(outs[place] ?? 0);
    }
  }

  /**
   * Decides what can be decided at the end of what is known: what follows may fulfil all conditions that look at it.
   * Whatever stays open is kept.
   */
  private decideAtEnd(text: string, origin: number, found: MatchCollector): void {
    const { program } = this;
    const { current, threads } = this.memory;
    const known = this.conditions(text, text.length, origin) & ~NEEDS_NEXT;
    this.expandThreads(known);
    const certain = current.length > 0 ? current.places[0] : NONE;
    this.expandThreads(known | NEEDS_NEXT);
    const [first = 0, start = 0] = [current.places[0], current.starts[0]];
    const isDecided = current.length > 0 && first === certain && program.operations[first] === OPERATION.match;
    if (isDecided) [this.matchStart, this.matchEnd] = [start, origin + text.length];
    if (isDecided || current.length === 0) threads.clear();
    else found.keepFrom((this.matchStart === NONE ? start : Math.min(start, this.matchStart)) - origin);
  }

  /** Reports the match, unless it is empty. Answers from where to go on. */
  private report(text: string, at: number, origin: number, found: MatchCollector): number {
    const [start, end] = [this.matchStart - origin, this.matchEnd - origin];
    this.matchStart = NONE;
    this.memory.threads.clear();
    if (end > start) found.add(start, end, this.rules);
    const next = end > start ? end : end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1);
    this.allowance -= Math.max(0, at - next);
    if (this.allowance < 0) throw new MatchLimitExceeded('A pattern looks ahead too far too often.');
    return next;
  }
}

function isWordCode(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
}
