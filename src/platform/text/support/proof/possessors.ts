import type { Concepts } from './concepts.js';
import type { Operand } from './operand.js';

/** What is said of what has a name is said of the named itself. */
const NAMED =
  /^(?:city|town|village|state|republic|kingdom|island|lake|province|county|district|region|municipality|country|bank|university|stadt|gemeinde|insel|land|republik|kreis|jahr|year|month|end|start|beginning|ende|anfang|beginn)$/u;
/** `The rival of Siemens`, `Siemens' rival`, `der Anwalt der Bank`. */
const POSSESSED = {
  en: /(?<owned>\p{L}+) of (?:the |an? )?(?<owner>\p{L}+)|(?<owned>\p{L}+(?:man|woman|person|yer|iser|agent|ist)) for (?:the |an? )?(?<owner>\p{L}+)|(?<owner>\p{L}+)(?:'s|(?<=s)') (?<owned>\p{L}+)/gu,
  de: /(?<owned>\p{L}+) (?:der|des|von|vom) (?<owner>\p{L}+)/gu,
} as const;

/** Says whether a sentence says of somebody what its source says of what is theirs, and does not name that. */
export function leavesPossessedOut(claim: Operand, source: Operand, concepts: Concepts): boolean {
  const [subject] = claim.content;
  if (!subject || subject.role !== '') return false;
  const isSubject = (word: string): boolean => concepts.isSame(concepts.meaningOf(word), subject);
  const named = source.content.filter(({ lower }) => isSubject(lower)).length;
  const possessed = [...source.lower.matchAll(POSSESSED[concepts.language])].filter(
    ({ groups: { owned = '', owner = '' } = {} }) => {
      const thing = source.content.find(({ lower }) => lower === owned);
      const isThing = thing !== undefined && !thing.isLight && (concepts.language === 'en' || thing.isCapital);
      return isThing && isSubject(owner) && !NAMED.test(owned) && !claim.has(thing);
    },
  );
  return named > 0 && possessed.length >= named;
}
