import { toMonth } from '../../months.js';
import { readWords } from '../words.js';
import type { Concepts, ProvenLanguage } from './concepts.js';
import type { Operand } from './operand.js';

/** What a sentence may be put in, up to its first comma: where, when, for whom, by whom, or in which story it holds. */
const FRAME =
  /^(?:when|whenever|once|without|given|upon|in|for|under|with|within|among|inside|outside|subject to|pending|unlike|imagine|suppose|supposing|as if|as though|according to|where|depending on|sobald|wer|wo|laut|nach angaben|ohne|bei) ([^,;:]{1,150}), /u;
/** Frames that bound nothing, and those that only tell the time of what has happened. */
const HARMLESS =
  /^(?:in (?:addition|fact|general|particular|contrast|total|all|short|turn|response|return|practice|other words|effect|summary|the meantime|recent)|for (?:example|instance)|with (?:this|that|these|it)|(?:in|within|for|under|at) (?:the |an? )?(?:same |following |next |late |early |mid-?|spring|summer|autumn|winter|first |second |third |last )*(?:\d|years?|century|months?|weeks?|days?|decades?|period))/u;
/** `Bei Überhitzung schaltet es ab`: German needs no comma behind it. */
const GERMAN_FRAMES: ReadonlySet<string> = new Set(['bei', 'ohne']);
const LAST_OF_FRAME = 3;

/** Whose statement it is, behind it. */
const SAID_BEHIND: Readonly<Record<ProvenLanguage, RegExp>> = {
  en: /, (?:[\p{L}.'-]+ ){0,6}(?:say|said|claim|argue|believe|think|thought|insist|suggest|allege|report|warn|tweet|write|wrote|estimate|predict)(?:s|d|ed)?\.?$/u,
  de: /, (?:so|laut|sagte?|sagten|schrieb|schreibt|behauptete?|erklärte?|meinte?|warnte?) [^,]{1,60}$/u,
};
const SAYS: Readonly<Record<ProvenLanguage, RegExp>> = {
  en: /\b(?:say|said|claim|argu|believ|think|thought|insist|suggest|alleg|report|warn|tweet|writ|wrote|estimat|predict|according)/u,
  de: /(?<!\p{L})(?:so (?:ein|der|die|das)|laut|zufolge|sag|schr(?:ie|ei)b|behaupt|erklär|mein|warn|angeblich)/u,
};

/** What is named only to be set aside, with up to four words of it. */
const SET_ASIDE: Readonly<Record<ProvenLanguage, RegExp>> = {
  en: /\b(?<head>rather|instead|far|but|except|too|unlike)(?<= (?:rather|instead|far|unlike|anything but|too)|\b(?:everything|everyone|everybody|anyone|anybody|all|nobody|nothing|none|one) (?:but|except)|^unlike)(?: \p{L}+(?= to\b))? ?(?:than|of|from|to)? (?<aside>(?:[\p{L}'-]+ ?){1,4})/gu,
  de: /(?<!\p{L})(?<head>statt|anstatt|anstelle|alles andere als|mit ausnahme|zu \p{L}+, um) (?:von |des |der )?(?<aside>(?:[\p{L}'-]+ ?){1,3})/gu,
};

const PAST: Readonly<Record<ProvenLanguage, RegExp>> = {
  en: /\b(?:was|were|had)\b/u,
  de: /(?<!\p{L})(?:war|waren|hatten?)(?!\p{L})/u,
};
const PRESENT: Readonly<Record<ProvenLanguage, RegExp>> = {
  en: /\b(?:is|are|(?:has|have)(?! (?:been|\p{L}+(?:ed|en|t))\b))\b/u,
  de: /(?<!\p{L})(?:ist|sind)(?!\p{L})(?!.* (?:worden|gewesen|ge\p{L}+t|\p{L}+en)[.]?$)/u,
};
const TO_COME = /\b(?:will|shall|due to (?:open|begin|start|end|close|be)|scheduled|expected|planned|plans?)\b/u;
const SAYS_TO_COME = /\b(?:will|would|shall|due|scheduled|expected|plan(?:s|ned)?|by|to be)\b/u;
const DONE = /\b(?:has|have|had|was|were|\p{L}{2,}ed)\b/u;

const REGULAR_DAYS =
  /(?<!\p{L})(?:(?:mon|tues|wednes|thurs|fri|satur|sun|holi|week)days?|weekends?|(?:mon|diens|donners|frei|sams|sonn|feier|werk|wochen)tags|mittwochs)(?!\p{L})/u;
const CLAIMS_CAUSE =
  /(?<!\p{L})(?:because|therefore|owing to|due to|thus|weil|wegen|deshalb|daher|aufgrund|infolge)(?!\p{L})/u;
const HAS_CAUSE =
  /(?<!\p{L})(?:because|therefore|owing|due|thus|since|so|hence|caus|led|leads?|result|reason|consequen|thanks|trigger|by|weil|wegen|deshalb|daher|aufgrund|infolge|da|denn|durch|führ|verursach|dank|folge|grund|somit)/u;
const IN_THIS_ORDER = /(?<!\p{L})(?:respectively|jeweils)(?!\p{L})/u;
/** `Sei` is known to `context.ts`. */
const REPORTED =
  /(?<!\p{L})(?:habe|werde|könne|müsse|solle|dürfe|wolle)(?!\p{L})(?! ich)|(?<!\p{L})sollen? .{1,200} (?:sein|haben)\.?$/u;
const FIRST_PERSON = /(?<!\p{L})ich(?!\p{L})/u;

/**
 * Says whether a sentence leaves out in which frame its source puts it: a phrase before it, of which it has no word, who says
 * it, that it is named to be set aside, that it was or will be so, or on which days; or whether it tells a cause that the
 * source does not.
 */
export function leavesFrameOut(claim: Operand, source: Operand, concepts: Concepts): boolean {
  const { language } = concepts;
  const { lower } = claim;
  if (CLAIMS_CAUSE.test(lower) && !HAS_CAUSE.test(source.lower)) return true;
  if (IN_THIS_ORDER.test(source.lower) && !IN_THIS_ORDER.test(lower)) return true;
  if (language === 'de' && (isReported(claim, source) || isGermanFrameMissing(claim, source))) return true;
  return source.lower.split(/[.!?] /).some((sentence) => {
    if (!hasAny(claim, sentence, concepts)) return false;
    const framed = FRAME.exec(sentence);
    return (
      (framed !== null && !HARMLESS.test(sentence) && isForgotten(claim, framed[1] ?? '', concepts)) ||
      (SAID_BEHIND[language].test(sentence) && !SAYS[language].test(lower)) ||
      isSetAside(claim, sentence, concepts) ||
      isOfOtherTime(lower, sentence, language) ||
      (REGULAR_DAYS.test(sentence) && !REGULAR_DAYS.test(lower))
    );
  });
}

/** Whether a sentence tells as a fact what its source tells in the mood of indirect speech. */
function isReported({ lower }: Operand, source: Operand): boolean {
  return (
    REPORTED.test(source.lower) && !FIRST_PERSON.test(source.lower) && !REPORTED.test(lower) && !SAYS.de.test(lower)
  );
}

function isGermanFrameMissing(claim: Operand, { content }: Operand): boolean {
  const frame = content.find(({ role, isCapital, place }) => {
    return isCapital && place > 0 && place <= LAST_OF_FRAME && GERMAN_FRAMES.has(role);
  });
  return frame !== undefined && !claim.has(frame);
}

function isSetAside(claim: Operand, sentence: string, concepts: Concepts): boolean {
  return [...sentence.matchAll(SET_ASIDE[concepts.language])].some(({ groups: { head = '', aside = '' } = {} }) => {
    return !claim.lower.includes(head) && hasAny(claim, aside, concepts);
  });
}

function isOfOtherTime(claim: string, sentence: string, language: ProvenLanguage): boolean {
  const [past, present] = [PAST[language], PRESENT[language]];
  if (past.test(sentence) && !present.test(sentence) && present.test(claim) && !past.test(claim)) return true;
  return (
    language === 'en' && TO_COME.test(sentence) && !DONE.test(sentence) && DONE.test(claim) && !SAYS_TO_COME.test(claim)
  );
}

/** Whether a text has words with content, and the sentence none of them. */
function isForgotten(claim: Operand, text: string, concepts: Concepts): boolean {
  const words = contentOf(text, concepts);
  // Of whom something is said tells nothing of when it is so.
  const said = words.length > 1 ? claim.content.slice(1) : claim.content;
  return words.length > 0 && !words.some((one) => said.some((word) => concepts.isSame(concepts.meaningOf(one), word)));
}

function hasAny(claim: Operand, text: string, concepts: Concepts): boolean {
  return contentOf(text, concepts).some((word) => claim.has(concepts.meaningOf(word)));
}

function contentOf(text: string, { words, language }: Concepts): string[] {
  return readWords(text, language)
    .map(({ lower }) => lower)
    .filter((lower) => !words.isStopWord(lower) && toMonth(lower) === undefined && !/^\p{N}/u.test(lower));
}
