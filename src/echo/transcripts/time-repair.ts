import type { AudioSpan } from '../../platform/audio/audio.types.js';

/** Of something that was said, in seconds. */
const SHORTEST_SECONDS = 0.02;
/** Engines count beyond the end of a file by so much. */
const SLACK_SECONDS = 1;
/** With fewer usable times than this share none are believed. */
const LEAST_SHARE = 0.5;

/**
 * Puts times of an engine into order: those that are no numbers, lie outside of the file or go backward are replaced by
 * what lies between their neighbours. Each begins no earlier than the one before, and ends behind its beginning.
 * @param fileSeconds the length of the file
 * @returns as many; undefined where most of them are of no use
 */
export function repairTimes<Item extends AudioSpan>(items: readonly Item[], fileSeconds: number): Item[] | undefined {
  const usable = items.map(({ start, end }) => isWithin(start, end, fileSeconds));
  const trusted = longestRise(items, usable);
  if (items.length > 0 && trusted.length < items.length * LEAST_SHARE) return undefined;
  const repaired: Item[] = [];
  for (let place = 0; place <= trusted.length; place += 1) {
    const [from, to] = [place === 0 ? -1 : (trusted[place - 1] ?? -1), trusted[place] ?? items.length];
    const earliest = from < 0 ? 0 : (repaired[from]?.end ?? 0);
    const latest = Math.max(earliest, items[to]?.start ?? fileSeconds);
    const lost = items.slice(from + 1, to);
    const step = (latest - earliest) / Math.max(1, lost.length);
    for (const [index, item] of lost.entries()) {
      const start = earliest + index * step;
      repaired.push({ ...item, start, end: start + Math.max(step, SHORTEST_SECONDS) });
    }
    const item = items[to];
    if (item) repaired.push(withinNeighbours(item, repaired.at(-1), items[trusted[place + 1] ?? -1], fileSeconds));
  }
  return repaired;
}

function isWithin(start: number, end: number, fileSeconds: number): boolean {
  return start >= -SLACK_SECONDS && end >= start && start <= fileSeconds && end <= fileSeconds + SLACK_SECONDS;
}

/** It ends where the next one begins, at the latest. */
function withinNeighbours<Item extends AudioSpan>(
  item: Item,
  before: AudioSpan | undefined,
  after: AudioSpan | undefined,
  fileSeconds: number,
): Item {
  const start = Math.max(0, item.start, before?.start ?? 0);
  const latest = Math.min(item.end, fileSeconds, Math.max(start, after?.start ?? fileSeconds));
  return { ...item, start, end: Math.max(latest, start + SHORTEST_SECONDS) };
}

/** The places of the longest run of beginnings that do not go backward (patience sorting). */
function longestRise(items: readonly AudioSpan[], usable: readonly boolean[]): number[] {
  const tails: number[] = [];
  const previous = new Map<number, number | undefined>();
  for (const [index, { start }] of items.entries()) {
    if (!usable[index]) continue;
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((items[tails[middle] ?? 0]?.start ?? 0) <= start) low = middle + 1;
      else high = middle;
    }
    previous.set(index, tails[low - 1]);
    tails[low] = index;
  }
  const rise: number[] = [];
  for (let index = tails.at(-1); index !== undefined; index = previous.get(index)) rise.push(index);
  return rise.reverse();
}
