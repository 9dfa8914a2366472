/** Deeper JSON is refused wherever it comes from: what walks it later, here or in a model server, may do so recursively. */
export const MAX_JSON_DEPTH = 64;

/**
 * Whether a JSON value holds others more than so many levels below it. Walks level by level, so that depth costs no
 * stack.
 */
export function isDeeperThan(limit: number, value: unknown): boolean {
  let level = isNested(value) ? [value] : [];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    const next: object[] = [];
    for (const parent of level) collectNested(parent, next);
    level = next;
  }
  return false;
}

function collectNested(parent: object, into: object[]): void {
  // A list is not copied: vectors have millions of numbers.
  if (Array.isArray(parent)) {
    for (const child of parent) if (isNested(child)) into.push(child);
    return;
  }
  for (const key in parent) {
    const child = (parent as Record<string, unknown>)[key];
    if (isNested(child)) into.push(child);
  }
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/** What a JSON text may hold. */
export interface JsonLimits {
  /** Levels of lists and objects. */
  readonly depth: number;
  /** Lists, objects and members of objects; numbers and texts in lists are cheap, and do not count. */
  readonly nodes: number;
  /** Items of lists and members of objects, but for the first of each. */
  readonly items: number;
}

/**
 * Which limit a JSON text in UTF-8 exceeds, told before a text is made of its bytes, and before it is parsed;
 * undefined: none. It need not be valid.
 */
export function findExcess(bytes: Uint8Array, { depth, nodes, items }: JsonLimits): keyof JsonLimits | undefined {
  const { length } = bytes;
  let level = 0;
  let nodeCount = 0;
  let itemCount = 0;
  for (let at = 0; at < length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === COMMA) {
      itemCount += 1;
      if (itemCount > items) return 'items';
    }
    // `]` and `}`.
    else if (byte === 0x5d || byte === 0x7d) level -= 1;
    // `[`, `{` and `:`.
    else if (byte === 0x5b || byte === 0x7b || byte === 0x3a) {
      nodeCount += 1;
      if (byte !== 0x3a) level += 1;
      if (level > depth) return 'depth';
      if (nodeCount > nodes) return 'nodes';
    }
  }
  return undefined;
}

function endOfString(bytes: Uint8Array, start: number): number {
  const { length } = bytes;
  let at = start + 1;
  while (at < length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}
