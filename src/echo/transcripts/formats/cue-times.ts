import type { AudioSpan } from '../../../platform/audio/audio.types.js';

/** A cue that is shorter is not shown by players, in milliseconds. */
const SHORTEST_MS = 1;

/** The beginning and end of a cue, in whole milliseconds; it ends behind its beginning. */
export function cueMilliseconds({ start, end }: AudioSpan): readonly [number, number] {
  const from = Math.max(0, Math.round(start * 1_000));
  return [from, Math.max(from + SHORTEST_MS, Math.round(end * 1_000))];
}

/** `01:02:03.004`. @param separator before the milliseconds */
export function clockTime(milliseconds: number, separator: '.' | ','): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const seconds = Math.floor(milliseconds / 1_000);
  const clock = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':');
  return `${clock}${separator}${String(milliseconds % 1_000).padStart(3, '0')}`;
}
