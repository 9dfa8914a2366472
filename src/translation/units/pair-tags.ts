/** A tag in a row of tags, or one side of a `mark` that no pair of tags may cross. */
export type PairableTag =
  | { readonly kind: 'start'; readonly name: string }
  | { readonly kind: 'end'; readonly name: string }
  | { readonly kind: 'markStart' }
  | { readonly kind: 'markEnd' };

/** Tags of one step. */
const STEP = 1_000;

interface OpenTag {
  readonly index: number;
  /** Undefined: a mark. */
  readonly name: string | undefined;
  /** How many are open of each name since the mark that is open. */
  readonly counts: Map<string, number>;
  hasUnpaired: boolean;
}

/**
 * Pairs start tags with end tags of the same name, so that pairs are nested. Takes time in proportion to the tags, in steps.
 * @param isWhole whether a pair with an unpaired tag in it is none either
 * @returns for each tag the index of its partner; -1: none
 */
export function* pairTags(tags: readonly PairableTag[], isWhole: boolean): Generator<void, Int32Array> {
  const partners = new Int32Array(tags.length).fill(-1);
  const open: OpenTag[] = [];
  let counts = new Map<string, number>();
  const markUnpaired = (): void => {
    const last = open.at(-1);
    if (last) last.hasUnpaired = true;
  };
  const pop = (): OpenTag | undefined => {
    const last = open.pop();
    if (last?.name !== undefined) counts.set(last.name, (counts.get(last.name) ?? 1) - 1);
    return last;
  };
  for (const [index, tag] of tags.entries()) {
    if (index % STEP === STEP - 1) yield;
    if (tag.kind === 'markStart') {
      open.push({ index, name: undefined, counts, hasUnpaired: false });
      counts = new Map();
    } else if (tag.kind === 'markEnd') {
      let last = pop();
      while (last && last.name !== undefined) last = pop();
      counts = last?.counts ?? counts;
    } else if (tag.kind === 'start') {
      open.push({ index, name: tag.name, counts, hasUnpaired: false });
      counts.set(tag.name, (counts.get(tag.name) ?? 0) + 1);
    } else if ((counts.get(tag.name) ?? 0) === 0) {
      markUnpaired();
    } else {
      let last = pop();
      for (; last && last.name !== tag.name; last = pop()) markUnpaired();
      if (!last) continue;
      if (isWhole && last.hasUnpaired) markUnpaired();
      else [partners[index], partners[last.index]] = [last.index, index];
    }
  }
  return partners;
}
