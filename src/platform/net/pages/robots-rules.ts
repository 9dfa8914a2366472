import { detached } from '../../text/detached.js';
import { LONGEST_URL } from './page-url.js';

/** The longest pause between two requests that is kept, in seconds. */
const LONGEST_DELAY_SECONDS = 10;
/** A pattern is looked at up to so many stars. */
const STARS = 32;
/** The most that an escape makes of one character, or one of an escape, in UTF-16 units. */
const ESCAPE = 3;
/** What a rule and a part of it take beside their characters, in bytes; what is kept has two bytes a character at most. */
const RULE_BYTES = 200;
const PART_BYTES = 40;
const CHARACTER_BYTES = 2;
/** Others have their turn when so many characters were read, or may have been compared: some 1 ms each. */
const READ_SLICE = 16 * 1024;
const COMPARED_SLICE = 2_000_000;
/** What a line takes beside its characters, in characters that are read, and a rule, in characters that are compared. */
const LINE_COST = 100;
const RULE_COST = 1_000;

/** One `allow` or `disallow`. */
interface Rule {
  readonly isAllowed: boolean;
  /** What a path must have between the stars, in this order; the first part stands at its beginning. */
  readonly parts: readonly string[];
  /** The last part stands at its end. */
  readonly isAnchored: boolean;
  /** The longest pattern that fits decides. */
  readonly weight: number;
}

interface Group {
  readonly rules: Rule[];
  delaySeconds: number | undefined;
}

const NO_GROUP: Group = { rules: [], delaySeconds: undefined };

/**
 * What a robots.txt says to one program, by RFC 9309: the groups that name it, else those for all. Reading it and asking
 * it are steps, between which others have their turn, and take time in proportion to its length.
 */
export class RobotsRules {
  /** Nothing is forbidden. */
  static readonly open = new RobotsRules(NO_GROUP);
  /** Everything is. */
  static readonly closed = new RobotsRules({
    rules: [{ isAllowed: false, parts: ['/'], isAnchored: false, weight: 1 }],
    delaySeconds: undefined,
  });

  private constructor(private readonly group: Group) {}

  /** What is kept, about, in bytes. */
  get bytes(): number {
    return this.group.rules.reduce(
      (sum, { parts }) => sum + PART_BYTES * parts.length + CHARACTER_BYTES * lengthOf(parts),
      RULE_BYTES * (1 + this.group.rules.length),
    );
  }

  /** What lies between two requests, in milliseconds, at most 10 s. */
  get delayMs(): number {
    return (this.group.delaySeconds ?? 0) * 1_000;
  }

  /**
   * Reads a robots.txt.
   * @param token the name of the program, such as `examplebot`, in lower case
   */
  static *read(text: string, token: string): Generator<void, RobotsRules> {
    const [own, forAll] = [newGroup(), newGroup()];
    // Whom the group that is open is for, and whether more may still be named.
    let open = { own: false, all: false };
    let isNaming = false;
    let isNamed = false;
    let read = 0;
    for (const line of linesOf(text)) {
      const cost = LINE_COST + line.length;
      if (read + cost > READ_SLICE) {
        read = 0;
        yield;
      }
      read += cost;
      const [key, value] = splitLine(line);
      if (key === 'user-agent') {
        const program = programOf(value);
        const before = isNaming ? open : { own: false, all: false };
        open = { own: before.own || program === token, all: before.all || program === '*' };
        isNaming = true;
        isNamed ||= open.own;
        continue;
      }
      const isRule = key === 'allow' || key === 'disallow' || key === 'crawl-delay';
      // What else stands there, as a sitemap, belongs to no group and ends none.
      if (!isRule) continue;
      isNaming = false;
      if (open.own) addTo(own, key, value);
      if (open.all) addTo(forAll, key, value);
    }
    return new RobotsRules(isNamed ? own : forAll);
  }

  /**
   * Whether a URL may be fetched.
   * @param target its path and query
   */
  *allows(target: string): Generator<void, boolean> {
    const path = normalized(target);
    if (path === '/robots.txt') return true;
    let best: Rule | undefined;
    let compared = 0;
    for (const rule of this.group.rules) {
      const cost = RULE_COST + mostCompared(rule, path);
      if (compared + cost > COMPARED_SLICE) {
        compared = 0;
        yield;
      }
      compared += cost;
      if (best && !isStronger(rule, best)) continue;
      if (fits(rule, path)) best = rule;
    }
    return best?.isAllowed ?? true;
  }
}

function newGroup(): Group {
  return { rules: [], delaySeconds: undefined };
}

function* linesOf(text: string): Generator<string, void> {
  for (const { 0: line } of text.matchAll(/[^\r\n]+/g)) yield line;
}

function splitLine(line: string): [key: string, value: string] {
  const [statement = ''] = line.split('#', 1);
  const colon = statement.indexOf(':');
  if (colon < 0) return ['', ''];
  return [
    statement
      .slice(0, colon)
      .replace(/^\uFEFF/, '')
      .trim()
      .toLowerCase(),
    statement.slice(colon + 1).trim(),
  ];
}

/** The name in a `user-agent`, without the version that some write behind it. */
function programOf(value: string): string {
  return /^(?:\*|[\w-]+)/.exec(value)?.[0].toLowerCase() ?? '';
}

function addTo(group: Group, key: string, value: string): void {
  if (key === 'crawl-delay') {
    const seconds = Number(value);
    if (value !== '' && seconds >= 0) group.delaySeconds ??= Math.min(seconds, LONGEST_DELAY_SECONDS);
    return;
  }
  // An empty one forbids nothing.
  if (value === '') return;
  const rule = toRule(key === 'allow', value);
  if (!rule) return;
  // Where its end is not looked at, it would allow more than it says.
  const isWhole = rule.parts.length <= STARS;
  if (isWhole || !rule.isAllowed) group.rules.push(rule);
}

/** @returns undefined for a pattern that fits no URL, since all are shorter */
function toRule(isAllowed: boolean, value: string): Rule | undefined {
  const isAnchored = value.endsWith('$');
  const written = (isAnchored ? value.slice(0, -1) : value).split(/\*+/, STARS + 1);
  // Before anything is made of it: somebody else decides how long it is.
  if (lengthOf(written) > ESCAPE * LONGEST_URL) return undefined;
  const parts = written.map((part) => detached(normalized(part)));
  if (lengthOf(parts) > LONGEST_URL) return undefined;
  return { isAllowed, parts, isAnchored: isAnchored && parts.length <= STARS, weight: value.length };
}

function lengthOf(parts: readonly string[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

/** The longer pattern; of two that are as long the one that allows. */
function isStronger(rule: Rule, than: Rule): boolean {
  return rule.weight > than.weight || (rule.weight === than.weight && rule.isAllowed);
}

/** How many characters are compared at most: each part may be looked for at each place of the path. */
function mostCompared({ parts }: Rule, path: string): number {
  return parts.length > 1 ? path.length * lengthOf(parts) : path.length;
}

function fits({ parts, isAnchored }: Rule, path: string): boolean {
  const [first = '', ...others] = parts;
  if (!path.startsWith(first)) return false;
  let end = first.length;
  for (const part of isAnchored ? others.slice(0, -1) : others) {
    const start = path.indexOf(part, end);
    if (start < 0) return false;
    end = start + part.length;
  }
  if (!isAnchored) return true;
  const last = others.at(-1);
  return last === undefined ? end === path.length : path.length - last.length >= end && path.endsWith(last);
}

/** One spelling of a path: what must be escaped is, in capitals, and what need not be is not. */
function normalized(path: string): string {
  return path
    .replaceAll(/%([\da-f]{2})/gi, (escape, digits: string) => {
      const character = String.fromCharCode(Number.parseInt(digits, 16));
      return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
    })
    .replaceAll(/[^!-~]+/g, (text) => encodeURIComponent(text.toWellFormed()));
}
