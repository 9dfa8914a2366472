import type { LanguageTag } from '../languages/language-tag.js';
import type { Marker, ProtectedUnit } from '../protection/protected-unit.js';

/** Tags, comments, entities and pseudonyms. */
const MARKUP = /^[<&]/;

/**
 * Pieces with one key are asked for once: their texts and contexts are equal, and so is what an answer is checked for,
 * which is where their markers may stand, and of all but markup what they stand for.
 */
export function keyOf(
  source: LanguageTag | undefined,
  { text, branchOf, tokens, markers }: ProtectedUnit,
  context: string | undefined,
): string {
  const kinds = tokens.map((token) => (token.kind === 'text' ? '' : kindOf(markers.get(token.number))));
  const about = context === undefined ? '' : JSON.stringify(context);
  return `${source?.tag ?? ''} ${branchOf ?? ''} ${about} ${kinds.join('')} ${text}`;
}

function kindOf(marker: Marker | undefined): string {
  if (marker?.kind !== 'single') return marker?.kind === 'pair' ? '(' : '?';
  if (marker.content.kind === 'text' && !MARKUP.test(marker.content.text)) return JSON.stringify(marker.content.text);
  return { text: '.', message: 'm', open: '<', close: '>', single: '/' }[marker.content.kind];
}
