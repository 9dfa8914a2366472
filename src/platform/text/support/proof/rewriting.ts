import { toNumberWord } from '../number-words.js';
import type { ProvenLanguage } from './concepts.js';

/** German verbs whose particle stands at the end of their clause. */
const DIVIDED_VERBS =
  'geht|gehen|ging|gingen|sieht|sah|sahen|nimmt|nehmen|nahm|nahmen|lehnt|lehnte|lehnten|weist|wies|wiesen|wirft|warf|warfen|stellt|stellte|' +
  'stellten|setzt|setzte|setzten|tritt|trat|traten|schließt|schloss|schlossen|gibt|gab|gaben|kommt|kam|kamen|findet|fand|' +
  'fanden|legt|legte|legten|hebt|hob|sagt|sagte|führt|führte|führten|reicht|reichte|reichten|bietet|bot|fängt|fing|fingen|' +
  'hört|hörte|hörten|kündigt|kündigte|baut|baute|richtet|richtete|fährt|fuhr|fuhren|zieht|zog|zogen|bricht|brach|schaltet|' +
  'schaltete|ruft|rief|lädt|lud|löst|löste|teilt|teilte|teilten|stimmt|stimmte|stimmten|steigt|stieg|weitet|weitete';
const PARTICLES = 'ab|an|auf|aus|bei|ein|fest|heraus|her|hin|los|mit|nach|vor|weg|weiter|zu|zurück|zusammen|teil|statt';

/** What is written in another way, with the way in which it is compared: what is not allowed, what has to be. */
const REWRITINGS: Readonly<Record<ProvenLanguage, readonly (readonly [RegExp, string])[]>> = {
  en: [
    // An accent in place of the apostrophe, and what is said without one.
    [/n ?\u0301t\b/gi, "n't"],
    [/\bain'?t\b/gi, 'is not'],
    [/\bnon-(?=\p{L})/giu, 'not '],
    [/\b(?:prohibited|forbidden|banned|disallowed|impermissible)\b/gi, 'not allowed'],
    [/\b(?:must|shall) not\b|\bmustn't\b/gi, 'may not'],
    [/\b(?:has|have|had) to\b|\b(?:is|are) to(?= be\b)/gi, 'must'],
    [/\bfail(?:s|ed)? to\b/gi, 'did not'],
    [/\bunable to\b/gi, 'not able to'],
    [/\bat most\b/gi, 'up to'],
    [/\bdegrees? celsius\b/gi, '°C'],
    [/\bdegrees? fahrenheit\b/gi, '°F'],
    [/\bmore than\b/gi, 'over'],
    [/\b(?:less|fewer) than\b/gi, 'under'],
    [/\bonly (?=few\b)/gi, ''],
    [/\b(?:every|each) (?=(?:second|minute|hour|day|week|month|quarter|year|share|unit|winter|summer)\b)/gi, 'a '],
  ],
  de: [
    [/(?<!\p{L})(?:verboten|untersagt|unzulässig)(?!\p{L})/giu, 'nicht erlaubt'],
    [/(?<!\p{L})mehr als(?!\p{L})/giu, 'über'],
    [/(?<!\p{L})grad celsius(?!\p{L})/giu, '°C'],
    [/(?<=\d )mio\b\.?/gi, 'Millionen'],
    [/(?<=\d )mrd\b\.?/gi, 'Milliarden'],
    [/(?<=\d ?(?:kg|kilogramm|gramm|g|t|tonnen)) schwer(?!\p{L})/giu, ' wiegt'],
    [/(?<!\p{L})weniger als(?!\p{L})/giu, 'unter'],
    [/(?<!\p{L})nur (?=wenige(?!\p{L}))/giu, ''],
    [
      new RegExp(
        `(?<!\\p{L})(${DIVIDED_VERBS}) (?=(?:[^,;:.]{1,200} )?(${PARTICLES})(?:[,;:.]|$| (?:und|oder|sowie)(?!\\p{L})))`,
        'giu',
      ),
      '$2$1 ',
    ],
    [
      /(?<!\p{L})(?:ist|sind|war|waren) (?=[^,;:]{0,200} (?:(?:ein|ab|an|auf|aus|vor|nach|mit|bei)zu|zu )\p{Ll}{3,}en(?!\p{L}))/gu,
      'muss ',
    ],
  ],
};

/** `Two and a half`, `zweieinhalb`. */
const HALVES: Readonly<Record<ProvenLanguage, RegExp>> = {
  en: /(?<![\p{L}\p{N}])(\p{L}+|\d+) and a half(?!\p{L})/giu,
  de: /(?<![\p{L}\p{N}])(\p{L}+?|\d+ )(?:und)?ein(?:und)?halb(?!\p{L})|(?<!\p{L})(andert)halb(?!\p{L})/giu,
};

/** A plain text in which what can be said in several ways is said in one. */
export function rewritten(plain: string, language: ProvenLanguage): string {
  let text = plain;
  for (const [written, compared] of REWRITINGS[language]) text = text.replace(written, compared);
  return text.replace(HALVES[language], (written, count?: string, oneAndHalf?: string) => {
    const whole = oneAndHalf === undefined ? wholeOf((count ?? '').trim().toLowerCase(), language) : '1';
    return whole === undefined ? written : `${whole}.5`;
  });
}

function wholeOf(count: string, language: ProvenLanguage): string | undefined {
  return /^\d+$/.test(count) ? count : toNumberWord(count, language)?.value;
}
