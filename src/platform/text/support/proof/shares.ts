const NUMBER = String.raw`\d+(?:[.,]\d+)?(?: ?%| percent| prozent)?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|einer|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf`;
const PART = String.raw`half|thirds?|quarters?|fifths?|tenths?|hälfte|drittel|viertel|fünftel|zehntel|majority|minority|mehrheit|minderheit`;
const ARTICLES = String.raw`(?:the |its |their |his |her |all |these |those |der |des |aller |dieser |ihrer |seiner )*`;
/** `Half of the patients`, `nine out of ten`, `one in 100`, `neun von zehn`. */
const SHARE = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:(?<share>${PART}|${NUMBER}) (?:(?:out )?of|von|der|des) ${ARTICLES}|(?<few>${NUMBER}) in (?=\d{1,3}(?!\d)))(?<whole>\p{L}+|\d+)`,
  'gu',
);
const SAYS_SHARE = new RegExp(
  String.raw`(?<!\p{L})(?:${PART}|percent|prozent|share|part|anteil|teil|most|some|meisten|einige)(?!\p{L})|%`,
  'u',
);
/** `At least one pilot`, who may be the only one. */
const AT_LEAST_ONE = /(?<!\p{L})(?:at least one|mindestens eine?[nmrs]?|wenigstens eine?[nmrs]?)(?!\p{L}| of)/u;
const SAYS_ONE = /(?<!\p{L})(?:at least|one|an?|some(?:body|one)?|mindestens|wenigstens|eine?[nmrs]?|jemand)(?!\p{L})/u;
/** `All bridges but one`. */
const ALL_BUT =
  /(?<!\p{L})all (?:of )?(?:the |its |their |his |her )?\p{L}+ but (?:the |those |these )?(?:\d+|that|those|one|two|three|four|five|six|a few)(?!\p{L})/u;
const SAYS_BUT = /(?<!\p{L})(?:but|except|not|most|almost|nearly|only|few)(?!\p{L})/u;
/** `The second largest`, `zweitgrößte`. */
const RANKED =
  /(?<!\p{L})(?:second|third|fourth|fifth|sixth)[- ](?:most |least )?(?<superlative>\p{L}+)|(?<!\p{L})(?:zweit|dritt|viert|fünft|sechst)(?<superlative>\p{L}+(?:st|ßt))e/gu;

/**
 * Says whether a sentence tells of a whole, or of what is first, where its source tells of a part of it, or what comes
 * second. Both are plain and in lower case.
 */
export function leavesShareOut(claim: string, source: string): boolean {
  const has = (word: string): boolean => new RegExp(String.raw`(?<![\p{L}\p{N}])${word}`, 'u').test(claim);
  if (!SAYS_SHARE.test(claim)) {
    for (const { groups: { share, few, whole = '' } = {} } of source.matchAll(SHARE)) {
      if (has(whole) && !has((share ?? few ?? '').replace(/[.]/g, '\\.'))) return true;
    }
  }
  if (AT_LEAST_ONE.test(source) && !SAYS_ONE.test(claim)) return true;
  if (ALL_BUT.test(source) && !SAYS_BUT.test(claim)) return true;
  const ranks = new Set(Array.from(claim.matchAll(RANKED), ({ groups }) => groups?.['superlative']));
  return Array.from(source.matchAll(RANKED), ({ groups }) => groups?.['superlative'] ?? '').some(
    (superlative) => !ranks.has(superlative) && /(?:st|ßt)$/u.test(superlative) && has(superlative),
  );
}
