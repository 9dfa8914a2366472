import { detectLanguage } from '../../platform/text/language.js';
import { unitsWithin } from '../protection/restore.js';
import type { ProtectedUnit } from '../protection/protected-unit.js';
import { canBe, evidenceOf } from './language-evidence.js';

/**
 * Tells the language of texts by what is left of them after protection.
 * @returns the primary subtag of BCP 47; undefined where it is not reliable, as of less than 12 letters of Latin script,
 * or of what is in no language
 */
export async function detectSourceLanguage(units: readonly ProtectedUnit[]): Promise<string | undefined> {
  const text = evidenceOf(units.flatMap(unitsWithin).map(proseOf).join('\n'));
  const language = await detectLanguage(text);
  return language !== undefined && (await canBe(language, text)) ? language : undefined;
}

function proseOf({ tokens }: ProtectedUnit): string {
  return tokens.map((token) => (token.kind === 'text' ? token.text : token.kind === 'single' ? ' ' : '')).join('');
}
