import type { MarkedToken } from './marker-notation.js';
import type { ProtectedUnit } from './protected-unit.js';

/**
 * Reads an answer in the notation of its unit. The markers have the kinds that the unit gives them, whatever the answer
 * says: of a pair whose end is written like its beginning the second is the end, and the end of a single marker is none.
 * Markers that the unit does not have stay as they are read.
 */
export function readAnswer(unit: ProtectedUnit, answer: string): MarkedToken[] {
  const read = unit.notation.read(answer);
  if (read.every(({ kind }) => kind === 'text')) return read;
  const ended = new Set(read.flatMap((token) => (token.kind === 'close' ? [token.number] : [])));
  const opened = new Set<number>();
  const closed = new Set<number>();
  return read.flatMap((token): MarkedToken[] => {
    if (token.kind === 'text') return [token];
    const { number } = token;
    const marker = unit.markers.get(number);
    if (!marker) return [token];
    if (marker.kind === 'single') return token.kind === 'close' ? [] : [{ kind: 'single', number }];
    if (token.kind === 'close') return [token];
    if (!opened.has(number) || ended.has(number) || closed.has(number)) {
      opened.add(number);
      return [{ kind: 'open', number }];
    }
    closed.add(number);
    return [{ kind: 'close', number }];
  });
}
