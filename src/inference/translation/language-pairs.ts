import { hash } from 'node:crypto';

/** Two languages (BCP 47), from one into the other. */
export interface LanguagePair {
  readonly source: string;
  readonly target: string;
}

/** What one engine has told, in little: languages with the same targets have one set of them. */
interface PairTable {
  /** The targets of each source, and the source itself. */
  readonly bySource: ReadonlyMap<string, ReadonlySet<string>>;
  /** All languages that something is translated into. */
  readonly targets: ReadonlySet<string>;
  readonly size: number;
  /** Equal where the pairs are. */
  readonly digest: string;
}

/** From which languages an engine translates into which, by its own codes. A language into itself is no pair. */
export class LanguagePairs implements Iterable<LanguagePair> {
  /** How many there are; some may be counted twice where engines were put together. */
  readonly size: number;

  private constructor(private readonly tables: readonly PairTable[]) {
    this.size = tables.reduce((sum, { size }) => sum + size, 0);
  }

  /**
   * The pairs of rows of a source and its targets, each source once.
   * @param mostTargets of all rows, where those with the same targets count once; rows beyond are left out
   * @param onCut told where some are
   */
  static from(
    rows: Iterable<readonly [source: string, targets: Iterable<string>]>,
    mostTargets = Number.POSITIVE_INFINITY,
    onCut?: () => void,
  ): LanguagePairs {
    const bySource = new Map<string, ReadonlySet<string>>();
    const sets = new Map<string, ReadonlySet<string>>();
    let count = 0;
    let isCut = false;
    for (const [source, targets] of rows) {
      // With the source, which some tell and others do not, languages that are all translated into another have equal sets.
      const codes = new Set(targets).add(source);
      const key = [...codes].sort().join(' ');
      const known = sets.get(key);
      const isBeyond = !known && count + codes.size > mostTargets;
      isCut ||= isBeyond;
      if (isBeyond || codes.size < 2) continue;
      if (!known) count += codes.size;
      sets.set(key, known ?? codes);
      bySource.set(source, known ?? codes);
    }
    if (isCut) onCut?.();
    return new LanguagePairs([toTable(bySource, sets)]);
  }

  /** All languages that are translated from; some may come twice. */
  *sources(): Generator<string, void> {
    for (const { bySource } of this.tables) yield* bySource.keys();
  }

  /** All languages that are translated into; some may come twice. */
  *targets(): Generator<string, void> {
    for (const { targets } of this.tables) yield* targets;
  }

  /** Those that a language is translated into; some may come twice. */
  *targetsOf(source: string): Generator<string, void> {
    for (const { bySource } of this.tables) {
      for (const target of bySource.get(source) ?? []) if (target !== source) yield target;
    }
  }

  /** Whether there is the pair. @param source undefined: any */
  has(source: string | undefined, target: string): boolean {
    if (source === undefined) return this.tables.some(({ targets }) => targets.has(target));
    return source !== target && this.tables.some(({ bySource }) => bySource.get(source)?.has(target));
  }

  /** These and those of another engine. */
  with(other: LanguagePairs): LanguagePairs {
    const own = new Set(this.tables.map(({ digest }) => digest));
    const more = other.tables.filter(({ digest }) => !own.has(digest));
    return more.length === 0 ? this : new LanguagePairs([...this.tables, ...more]);
  }

  /** Each once. */
  *[Symbol.iterator](): Generator<LanguagePair, void> {
    for (const [index, { bySource }] of this.tables.entries()) {
      const before = this.tables.slice(0, index);
      for (const [source, targets] of bySource) {
        for (const target of targets) {
          if (target === source || before.some((table) => table.bySource.get(source)?.has(target))) continue;
          yield { source, target };
        }
      }
    }
  }
}

/** @param sets those that there are, by what they hold */
function toTable(
  bySource: ReadonlyMap<string, ReadonlySet<string>>,
  sets: ReadonlyMap<string, ReadonlySet<string>>,
): PairTable {
  const sourcesOf = new Map<ReadonlySet<string>, string[]>();
  let size = 0;
  for (const [source, targets] of bySource) {
    size += targets.size - 1;
    const sources = sourcesOf.get(targets);
    if (sources) sources.push(source);
    else sourcesOf.set(targets, [source]);
  }
  const targets = new Set<string>();
  for (const [set, sources] of sourcesOf) {
    const [only] = sources.length === 1 ? sources : [];
    for (const target of set) if (target !== only) targets.add(target);
  }
  const rows = [...sets].map(([key, set]) => `${(sourcesOf.get(set) ?? []).sort().join(' ')} > ${key}`);
  return { bySource, targets, size, digest: hash('sha256', rows.sort().join('\n')) };
}
