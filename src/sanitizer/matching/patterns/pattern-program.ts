import { RE2JS } from 're2js';
import { checkClasses } from './check-classes.js';

/** What the instructions of RE2's programs do. The numbers are those of the library. */
export const OPERATION = {
  alternative: 1,
  alternativeMatch: 2,
  capture: 3,
  emptyWidth: 4,
  fail: 5,
  match: 6,
  nothing: 7,
  runes: 8,
  rune: 9,
  anyRune: 10,
  anyRuneButNewline: 11,
} as const;

const MOST_INSTRUCTIONS = 5_000;
const ASCII = 128;

interface Instruction {
  readonly op: number;
  readonly out: number;
  readonly arg: number;
  readonly runes: ArrayLike<number>;
  matchRune(rune: number): boolean;
}

interface Prefilter {
  readonly type: number;
  readonly subs: readonly Prefilter[];
  readonly str: string;
}

const EXACT = 1;
const ALL = 2;
const ANY = 3;

/** A pattern in RE2's syntax, compiled by re2js, with what has to be known of its program to follow it by the character. */
export class PatternProgram {
  /** Where the program begins. */
  readonly start: number;
  readonly operations: Uint8Array;
  readonly outs: Int32Array;
  readonly args: Int32Array;
  /** For each ASCII character whether a match can begin with it; all of them where one can be empty. */
  readonly firsts = new Uint8Array(ASCII);
  /** Texts of which each match has at least one in it, whatever its case; null where none are known. */
  readonly literals: readonly string[] | null;
  /** Instructions beyond the characters of the pattern, by what it repeats: each may cost time for each character. */
  readonly repeated: number;
  /** The longest match in UTF-16 units, or infinity. */
  readonly longest: number;
  private readonly instructions: readonly Instruction[];
  /** For each instruction which ASCII characters it takes; those that take the same share a row. */
  private readonly asciiRows: readonly (Uint8Array | undefined)[];
  /** For each ASCII character whether any instruction takes it; the last entry is for all others. */
  private readonly consumed = new Uint8Array(ASCII + 1);

  /**
   * @throws Error of the library where the pattern is not RE2's syntax
   * @throws RangeError where the program is longer than 5,000 instructions; where its classes are too many or too
   *   large to be read in time
   */
  constructor(pattern: string) {
    checkClasses(pattern);
    const { prog, prefilter } = compile(pattern);
    if (prog.inst.length > MOST_INSTRUCTIONS) throw new RangeError('The pattern repeats too much.');
    this.instructions = prog.inst;
    this.repeated = Math.max(0, prog.inst.length - pattern.length);
    this.start = prog.start;
    this.operations = Uint8Array.from(prog.inst, ({ op }) => op);
    this.outs = Int32Array.from(prog.inst, ({ out }) => out);
    this.args = Int32Array.from(prog.inst, ({ arg }) => arg);
    this.asciiRows = readAsciiRows(prog.inst);
    this.fillConsumed();
    this.fillFirsts();
    this.longest = this.measureLongest();
    const flags = /^\(\?[a-z]*i[a-z]*\)/.exec(pattern)?.[0];
    this.literals = flags ? findCaselessLiterals(pattern.slice(flags.length)) : findLiterals(prefilter);
  }

  /** Says whether an instruction takes a character. */
  takes(instruction: number, codePoint: number): boolean {
    if (codePoint < ASCII) return this.asciiRows[instruction]?.[codePoint] === 1;
    return takesRune(this.instructions[instruction], codePoint);
  }

  /** Says whether any match has a UTF-16 unit in it. */
  consumes(code: number): boolean {
    return this.consumed[Math.min(code, ASCII)] === 1;
  }

  private fillConsumed(): void {
    for (const row of new Set(this.asciiRows)) row?.forEach((taken, code) => (this.consumed[code] ||= taken));
    this.instructions.forEach((instruction) => {
      if (!isRuneOperation(instruction.op)) return;
      const isAny = instruction.op >= OPERATION.anyRune;
      if (isAny || (instruction.runes[instruction.runes.length - 1] ?? 0) >= ASCII) this.consumed[ASCII] = 1;
    });
  }

  private fillFirsts(): void {
    const pending = [this.start];
    const seen = new Set(pending);
    const joined = new Set<Uint8Array>();
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const operation = this.operations[next] ?? 0;
      if (operation === OPERATION.match) this.firsts.fill(1);
      if (isRuneOperation(operation)) {
        const row = this.asciiRows[next];
        if (row && !joined.has(row)) row.forEach((taken, code) => (this.firsts[code] ||= taken));
        if (row) joined.add(row);
        continue;
      }
      for (const following of this.followers(next)) {
        if (!seen.has(following)) pending.push(following);
        seen.add(following);
      }
    }
  }

  private followers(instruction: number): number[] {
    const operation = this.operations[instruction] ?? 0;
    const out = this.outs[instruction] ?? 0;
    if (operation === OPERATION.match || operation === OPERATION.fail) return [];
    return operation <= OPERATION.alternativeMatch ? [out, this.args[instruction] ?? 0] : [out];
  }

  /** The longest way through the program; a way that comes back to where it was has no end. */
  private measureLongest(): number {
    const lengths = new Map<number, number>();
    const pending = [this.start];
    while (pending.length > 0) {
      const current = pending.at(-1) ?? 0;
      const known = lengths.get(current);
      const followers = this.followers(current);
      if (known === undefined) {
        lengths.set(current, Number.NaN);
        for (const follower of followers) {
          const length = lengths.get(follower);
          // It is on the way to here.
          if (length !== undefined && Number.isNaN(length)) return Number.POSITIVE_INFINITY;
          if (length === undefined) pending.push(follower);
        }
        continue;
      }
      pending.pop();
      if (!Number.isNaN(known)) continue;
      const rest = Math.max(0, ...followers.map((follower) => lengths.get(follower) ?? 0));
      lengths.set(current, rest + (isRuneOperation(this.operations[current] ?? 0) ? 2 : 0));
    }
    return lengths.get(this.start) ?? 0;
  }
}

function isRuneOperation(operation: number): boolean {
  return operation >= OPERATION.runes;
}

function takesRune(instruction: Instruction | undefined, rune: number): boolean {
  if (!instruction) return false;
  if (instruction.op === OPERATION.anyRune) return true;
  if (instruction.op === OPERATION.anyRuneButNewline) return rune !== 10;
  return instruction.matchRune(rune);
}

function readAsciiRows(instructions: readonly Instruction[]): (Uint8Array | undefined)[] {
  const rows = new Map<unknown, Uint8Array>();
  return instructions.map((instruction) => {
    const { op, arg, runes } = instruction;
    if (!isRuneOperation(op)) return undefined;
    const key = runes.length > 2 ? runes : `${op} ${arg} ${runes[0] ?? ''} ${runes[1] ?? ''}`;
    const row = rows.get(key) ?? Uint8Array.from({ length: ASCII }, (_, code) => Number(takesRune(instruction, code)));
    rows.set(key, row);
    return row;
  });
}

/** @throws Error where the library is no longer the one whose programs these are */
function compile(pattern: string): {
  prog: { inst: readonly Instruction[]; start: number };
  prefilter: Prefilter | null;
} {
  const compiled: unknown = RE2JS.compile(pattern);
  const { prog, prefilter } = (compiled as { re2Input: { prog: unknown; prefilter: unknown } }).re2Input;
  if (!isProgram(prog)) throw new Error('re2js has other programs than those of version 2.10.');
  return { prog, prefilter: prefilter as Prefilter | null };
}

function isProgram(value: unknown): value is { inst: readonly Instruction[]; start: number } {
  if (typeof value !== 'object' || value === null || !('inst' in value) || !('start' in value)) return false;
  if (!Array.isArray(value.inst) || typeof value.start !== 'number') return false;
  return value.inst.every((instruction: Partial<Instruction>) => {
    const { op = 0, out, arg, runes, matchRune } = instruction;
    const isKnown = op >= OPERATION.alternative && op <= OPERATION.anyRuneButNewline;
    return (
      isKnown &&
      typeof out === 'number' &&
      typeof arg === 'number' &&
      typeof runes?.length === 'number' &&
      typeof matchRune === 'function'
    );
  });
}

/** The library knows none of a pattern in any case; those of letters with two UTF-16 units are looked for in one alone. */
function findCaselessLiterals(pattern: string): string[] | null {
  const literals = findLiterals(compile(pattern).prefilter);
  return literals?.some((literal) => /[\ud800-\udfff]/.test(literal)) ? null : literals;
}

/** The library says what a text must contain to match; of several that are needed, the longest is rarest. */
function findLiterals(prefilter: Prefilter | null): string[] | null {
  if (prefilter?.type === EXACT) return [prefilter.str];
  if (prefilter?.type === ANY) {
    const all = prefilter.subs.map(findLiterals);
    return all.every((literals) => literals !== null) ? all.flat() : null;
  }
  if (prefilter?.type !== ALL) return null;
  const choices = prefilter.subs.map(findLiterals).filter((literals) => literals !== null);
  const shortest = (literals: readonly string[]) => Math.min(...literals.map(({ length }) => length));
  return choices.toSorted((one, other) => shortest(other) - shortest(one))[0] ?? null;
}
