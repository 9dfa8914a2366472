import { readWords } from '../words.js';
import type { Concepts, ProvenLanguage } from './concepts.js';
import type { Operand } from './operand.js';

/** What sets a statement apart from what is so, and what a sentence has where it says so, too. */
export type Reservation = readonly [reserved: RegExp, kept: RegExp];

/** Words that end like superlatives. */
const NO_SUPERLATIVE = {
  en: '(?!(?:(?:north|south|mid)?west|for|test|rest|guest|harv|inter|requ|prot|cont|arr|pri|bud|buch|hon|manif|chest|crest|qu|conqu|sugg|dig|inv|fest|att|det|pest|ever|brest|mod|earn|temp|mol|beh|bequ)(?:est)?(?!\\p{L}))',
  de: String.raw`(?!\p{L}{0,20}(?:dienst|leist|künst|verlust|muss|wuss|fass|pass|gerüst|herbst|geist|list|kost|küst|post|west|ost|gast|gäst|last|frist|tast|frost|minist|regist|schwest|fenst|monst|polst|klost|meister|orchest|semest|silvest|protest|palast|tourist|jurist|artist|journalist|polizist|spezialist)(?:te)?\p{L}{0,3}(?!\p{L}))`,
} as const;
/** By language. */
export const SUPERLATIVE = {
  en: String.raw`(?:best|worst|(?:most|least) \p{L}+|${NO_SUPERLATIVE.en}\p{L}{2,}est)`,
  de: String.raw`${NO_SUPERLATIVE.de}\p{L}{3,}(?:st|ßt)e[nmrs]?`,
} as const;
const FICTION = {
  en: 'novel|film|movie|play|book|story|tale|game|series|opera|poem|dream|model|simulation|scenario|theory|myth|legend|comic|musical',
  de: 'roman|film|theaterstück|buch|geschichte|märchen|spiel|serie|oper|gedicht|traum|modell|simulation|szenario|theorie|sage|legende|erzählung|novelle|drama|krimi|comic|musical',
} as const;
const PORTION = {
  en: '(?:an? |one |two |three )?(?:half|thirds?|quarters?|fifths?|tenths?)',
  de: '(?:die |der |ein |einem |eines |zwei |drei )?(?:hälfte|drittels?|viertels?|fünftels?|zehntels?)',
} as const;

/**
 * By language: exceptions and conditions; what has ended; one of several, or the next behind another; bounds of a fraction; and
 * in which story it is so. Texts are rewritten, so that `more than` is `over` and `has to` is `must`.
 */
export const RESERVATIONS: Readonly<Record<ProvenLanguage, readonly Reservation[]>> = {
  en: [
    reservation(
      'apart from|aside from|with the (?:sole |only |single )?exceptions? of|except|excepting|excluding|save for|other than',
      'apart|aside|exceptions?|except|excepting|excluding|without|save|other|not',
    ),
    reservation(
      'on paper|theoretically|nominally|hypothetically|temporarily|at times',
      String.raw`paper|theor\p{L}*|nomin\p{L}*|hypothe\p{L}*|tempor\p{L}*|at times|sometimes`,
    ),
    reservation(
      'subject to|pending|conditional (?:up)?on|contingent (?:up)?on',
      'subject|pending|conditional|contingent|if|once|provided|depends?',
    ),
    reservation('until|till', String.raw`until|till|since|(?:to|by) \d+|was|were|had|not|\p{L}{2,}ed`),
    reservation(
      String.raw`(?:one|two|three|four|five|some|many|several|a few) of (?:the|its|his|her|their) (?:\p{L}+ly )?(?:[\p{L}]+['’]s )?${SUPERLATIVE.en}|among (?:the|its|his|her|their) ${SUPERLATIVE.en}`,
      'one|two|three|four|five|some|many|several|few|among|amongst',
    ),
    reservation(
      String.raw`${SUPERLATIVE.en}(?: [\p{L}-]+){0,5} (?:after|behind|besides|outside|excluding|bar|next to)`,
      'after|behind|besides|outside|excluding|bar|next to|second|third',
    ),
    reservation(
      String.raw`(?:after|next to|behind|besides) [^,;.]{1,60}, [^,;.]{1,60} (?:is|are|was|were|has|have) (?:[\p{L}'’-]+ ){0,2}${SUPERLATIVE.en}`,
      'after|behind|besides|next to|second|third',
    ),
    reservation(
      `(?:under|nearly|almost|not quite|just short of) ${PORTION.en}`,
      'under|nearly|almost|less|fewer|below|not|short|minority',
    ),
    reservation(`(?:over|above) ${PORTION.en}`, 'over|above|more|most|majority|exceed(?:s|ed)?'),
    reservation(`in (?:the|an?|his|her|its|this|one) (?:\\p{L}+ )?(?:${FICTION.en})`, `(?:${FICTION.en})s?`),
  ],
  de: [
    reservation(
      'mit (?:der )?(?:einzigen )?ausnahme|abgesehen von|außer|ausgenommen|ausschließlich|bis auf (?!\\d)\\p{L}+',
      String.raw`ausnahmen?|abgesehen|außer|ausgenommen|ausschließlich|bis auf|ohne|nicht|kein\p{L}*`,
    ),
    reservation(
      'auf dem papier|theoretisch|nominell|hypothetisch|zeitweise|vorübergehend|zeitweilig',
      String.raw`papier|theor\p{L}*|nominell\p{L}*|hypothe\p{L}*|zeitw\p{L}*|vorübergeh\p{L}*|manchmal`,
    ),
    reservation(
      'vorbehaltlich|unter vorbehalt|unter dem vorbehalt|abhängig von',
      String.raw`vorbehalt\p{L}*|abhäng\p{L}*|wenn|falls|sofern|sobald`,
    ),
    reservation('(?:erst noch|noch aus(?:steht|stehend)?|noch bevor)', String.raw`noch|muss|müssen|soll\p{L}*|nicht`),
    reservation(
      String.raw`bis (?:\d{4}|zum|zur|ende|anfang|mitte|ins|in die|vor)`,
      String.raw`bis|seit\p{L}*|war|waren|wurden?|hatten?|nicht|\p{L}{2,}ten?`,
    ),
    reservation(
      String.raw`(?:eine[rsmn]?|zwei|drei|vier|einige|viele|mehrere) (?:der|seiner|ihrer) (?:\p{L}+ )?${SUPERLATIVE.de}|(?:zu|unter) (?:den|seinen|ihren) ${SUPERLATIVE.de}`,
      '(?:eine[rsmn]?|zwei|drei|vier|einige|viele|mehrere) (?:der|seiner|ihrer)|(?:zu|unter) (?:den|seinen|ihren)',
    ),
    reservation(
      String.raw`${SUPERLATIVE.de}(?: [\p{L}-]+){0,5} (?:nach|hinter|außerhalb|neben)`,
      String.raw`nach|hinter|außerhalb|neben|(?:zweit|dritt)\p{L}+`,
    ),
    reservation(
      String.raw`(?:nach|hinter|neben) (?:dem|der|den) [\p{L} -]{1,60} (?:der|die|das) ${SUPERLATIVE.de}`,
      String.raw`nach|hinter|neben|(?:zweit|dritt)\p{L}+`,
    ),
    reservation(
      `(?:unter|knapp|fast|beinahe|nicht ganz|nicht einmal) ${PORTION.de}`,
      'unter|knapp|fast|beinahe|nicht|weniger|minderheit',
    ),
    reservation(`über ${PORTION.de}`, String.raw`über|mehr|mehrheit|meisten?`),
    reservation(
      String.raw`i(?:m|n (?:der|dem|einem|einer|seinem|ihrem|seiner|ihrer|diesem|dieser)) (?:\p{L}+ )?(?:${FICTION.de})`,
      String.raw`(?:${FICTION.de})\p{L}{0,2}`,
    ),
  ],
};

/**
 * What is thought, advertised, asked for, discussed or to come: only what stands behind it, up to the next comma or `and`, is
 * so reserved.
 */
const GOVERNING: Readonly<Record<ProvenLanguage, readonly Reservation[]>> = {
  en: [
    reservation(
      String.raw`(?:markets?|marketed|advertis(?:es?|ed)|sells?|sold|promotes?|promoted|bills?|billed|touts?|touted|presents?|presented|portrays?|portrayed|labels|labell?ed|hails?|hailed) (?:[\p{L}'-]+ ){1,6}as`,
      String.raw`market\p{L}*|advertis\p{L}*|s[eo]l[dl]s?|promot\p{L}*|bill\p{L}*|tout\p{L}*|present\p{L}*|portray\p{L}*|label\p{L}*|hail\p{L}*`,
    ),
    reservation(
      String.raw`(?:mistook|mistakes?|mistaken|confuses?|confused) (?:[^,;.]{1,80} )?(?:for|with)`,
      String.raw`mist\p{L}*|confus\p{L}*`,
    ),
    reservation(
      String.raw`(?:believed|thought|considered|reputed|rumou?red|assumed|presumed|supposed|said|deemed|reckoned|estimated) to (?:be|have)|(?:regarded|viewed|seen|billed|marketed|advertised|promoted|touted|sold|hailed|presented|portrayed|labell?ed|considered|perceived) as`,
      String.raw`believ\p{L}*|thought|consider\p{L}*|reputed\p{L}*|rumou?r\p{L}*|assum\p{L}*|presum\p{L}*|suppos\p{L}*|said|deemed|reckoned|estimat\p{L}*|regard\p{L}*|view\p{L}*|seen|billed|market\p{L}*|advertis\p{L}*|promot\p{L}*|tout\p{L}*|sold|hailed|present\p{L}*|portray\p{L}*|labell?ed|perceiv\p{L}*`,
    ),
    reservation(
      String.raw`(?:asks?|asked|urges?|urged|calls? on|called on|orders?|ordered|tells?|told|invites?|invited|encourages?|encouraged|instructs?|instructed|requests?|requested|advises?|advised|begs?|begged|lobby|lobbied|press(?:es|ed)) (?:[\p{L}'-]+ ){1,5}to \p{L}+`,
      String.raw`ask\p{L}*|urg\p{L}*|call\p{L}*|order\p{L}*|tells?|told|invit\p{L}*|encourag\p{L}*|instruct\p{L}*|request\p{L}*|advi[cs]\p{L}*|beg\p{L}*|lobb\p{L}*|press\p{L}*|demand\p{L}*|must|should`,
    ),
    [/(?<!regardless of |no matter )(?<!\p{L})whether(?!\p{L})/u, /(?<!\p{L})(?:whether|if)(?!\p{L})/u],
    reservation(
      '(?:calls?|pleas?|demands?|efforts?|bids?|plans?|proposals?|pressure) (?:to|for)',
      String.raw`call\p{L}*|plea\p{L}*|demand\p{L}*|effort\p{L}*|bids?|plan\p{L}*|propos\p{L}*|pressure\p{L}*`,
    ),
    reservation(
      String.raw`(?:was|were) to (?!the)\p{L}+`,
      '(?:was|were|is|are) (?:due |supposed |meant |scheduled |planned |expected )?to|planned|intended|scheduled|would|should',
    ),
    reservation('still must|must still|yet must|still to be|remains? to be', 'still|yet|must|not|remains?'),
  ],
  de: [
    reservation(
      String.raw`(?:gilt|gelten|galt|galten) (?:[^,;.]{1,80} )?als|als [^,;.]{1,80} (?:beworben|vermarktet|angepriesen|angesehen|betrachtet|verkauft|dargestellt|bezeichnet|gehandelt)|(?:hält|halten|hielt|hielten) [^,;.]{1,80} für|(?:vermarktet|vermarkten|vermarktete|bewirbt|bewarb|preist|pries|verkauft|verkaufte|bezeichnet|bezeichnete|stellt|stellte) [^,;.]{1,80} als|verwechsel(?:t|te|ten|n) [^,;.]{1,80} mit`,
      String.raw`gilt|gelten|galt|galten|gelten\p{L}*|beworben|wirbt|werbung|vermarkt\p{L}*|bewirbt|bewarb|pr(?:eist|ies)|stellt\p{L}*|verwechs\p{L}*|angepriesen|angesehen|betracht\p{L}*|verkauf\p{L}*|dargestellt|bezeichne\p{L}*|gehandelt|hält|halten|hielt\p{L}*`,
    ),
    reservation(
      String.raw`(?:bittet|bitten|bat|baten|appelliert|appellierte|drängt|drängte|rät|riet|raten|aufgefordert|aufruft|aufrief|auffordert|aufforderte|empfiehlt|empfahl) [^;.]{1,200} (?:zu \p{L}+n|\p{L}{2,4}zu\p{L}+en)`,
      String.raw`bitte\p{L}*|bat|baten|appell\p{L}*|dräng\p{L}*|rät|riet|raten|auf(?:ge|for|ru)\p{L}*|empf\p{L}*|soll\p{L}*|forder\p{L}*`,
    ),
    reservation(
      String.raw`(?:forderung|forderungen|vorschlag|plan|pläne|bemühungen) (?:nach|zu|zur|zum|für)`,
      String.raw`forder\p{L}*|vorschl\p{L}*|plan|pläne\p{L}*|geplant|bemüh\p{L}*`,
    ),
    [/(?<!egal |unabhängig davon, |gleichgültig )(?<!\p{L})ob(?!\p{L})/u, /(?<!\p{L})(?:ob|wenn|falls)(?!\p{L})/u],
  ],
};
const LONGEST_GOVERNED = 200;
const END_OF_GOVERNED = /[,;:](?!\d)|(?<!\p{L})(?:and|but|und|aber)(?!\p{L})/u;

/** What is so with or for these alone. */
const ONLY: Readonly<Record<ProvenLanguage, RegExp>> = {
  en: /(?<!\p{L})(?:only|solely|exclusively) (?:with|for|if|when|in|on|at|after|by|under|to|from|during|through|where|as) (?<bound>(?:(?!(?:in|on|at|to|for|with|from|by|of|and|or|but|during|after|before|through|as|than)(?!\p{L}))[\p{L}'-]+ ?){1,5})/gu,
  de: /(?<!\p{L})(?:nur|lediglich|ausschließlich) (?:mit|für|wenn|in|im|an|am|bei|beim|nach|auf|unter|zu|zum|zur|von|vom|während|durch|mittels|ab|als) (?<bound>(?:(?!(?:in|im|an|am|auf|zu|zum|zur|für|mit|von|vom|bei|beim|und|oder|aber|während|nach|vor|durch|als|aus|ins)(?!\p{L}))[\p{L}'-]+ ?){1,5})/gu,
};
const SAYS_ONLY = /(?<!\p{L})(?:only|solely|exclusively|unless|nur|lediglich|ausschließlich)(?!\p{L})/u;
/** `Patients over 65`, `Fahrzeuge über 3,5 Tonnen`. */
const BOUNDED: Readonly<Record<ProvenLanguage, RegExp>> = {
  en: /(?<!\p{L})(?<who>\p{L}{2,}s|people|men|women|children) (?:aged |older than |younger than |with )?(?:over|under|above|below|aged|older than|younger than|up to|at least) (?<figure>\d[\d.,]*)/gu,
  de: /(?<!\p{L})(?<who>\p{L}{4,}) (?:mit )?(?:über|unter|mindestens|ab|bis zu|älter als|jünger als) (?<figure>\d[\d.,]*)(?! ?(?:uhr|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember))/gu,
};

/** What has to be done, with the verb: `must be signed`, `muss den Vertrag unterzeichnen`. */
const OBLIGED: Readonly<Record<ProvenLanguage, RegExp>> = {
  en: /(?<!\p{L})must (?:\p{L}+ly |also |first )?(?:be |have )?(?<verb>\p{L}{2,})/gu,
  de: /(?<!\p{L})(?:muss|müssen|musste|mussten) [^,;:.]{0,200}?(?<verb>\p{L}{3,}n)(?= (?:und|oder|sowie|werden|wird)(?!\p{L})|[,;:.]|$)/gu,
};
const OBLIGES = /(?<!\p{L})(?:must|need|requir|muss|müss|pflicht|verpflicht|nöt|erforder)/u;
const DONE = /(?<!\p{L})(?:has|have|had|was|were|hat|haben|wurden?|worden)(?!\p{L})/u;

/** What is named only to say that it is not the one: `the mechanic, not the driver, caused it`, `but not in children`. */
const NOT_THIS: Readonly<Record<ProvenLanguage, RegExp>> = {
  en: /(?:,|(?<!\p{L})(?:and|but)) (?:certainly |though |however )?not (?<aside>(?:(?!(?:only|all|every|yet|until|before|least)(?!\p{L}))[\p{L}'-]+ ?){1,5})/gu,
  de: /(?:,|(?<!\p{L})(?:und|aber|jedoch)) (?:aber |jedoch |wohl )?nicht (?:jedoch |aber |hingegen )?(?<aside>(?:(?!(?:nur|alle|mehr|zuletzt)(?!\p{L}))[\p{L}'-]+ ?){1,4})/gu,
};
/** More of these in one statement are a list that is not understood. */
const MOST_ASIDES = 4;
const DENIED_BEHIND =
  /(?<!\p{L})(?:niemand\p{L}*|nicht|kein\p{L}*|nobody|no one|not|doubt\p{L}*|bezweifel\p{L}*)(?!\p{L})/u;
const DENIES = /(?<!\p{L})(?:not|no|nor|never|none|without|nicht|kein\p{L}*|nie|ohne)(?!\p{L})|n't/u;
/** `Dass sie es baut, glaubt niemand`: what is told, and behind it who says so. */
const TOLD_FIRST = /^(?:dass|daß|ob|that|whether) [^;:.]{1,300}, (?<matrix>[^,;:.]{1,200})\.?$/u;

/**
 * Says whether a sentence leaves out for whom alone, or over which number, a statement of its source holds, that it is thought, asked for or has to be done, says of what the
 * source names with `not` that it is so, or affirms what the source tells first to deny it then.
 */
export function leavesReservationOut(claim: Operand, statement: string, concepts: Concepts): boolean {
  const { language } = concepts;
  const { lower } = claim;
  if (!SAYS_ONLY.test(lower)) {
    for (const { groups: { bound = '' } = {} } of statement.matchAll(ONLY[language])) {
      const words = contentOf(bound, concepts);
      if (words.length > 0 && !words.some((one) => claim.has(concepts.meaningOf(one)))) return true;
    }
  }
  for (const { groups: { who = '', figure = '' } = {} } of statement.matchAll(BOUNDED[language])) {
    const isTold = !concepts.words.isStopWord(who) && claim.has(concepts.meaningOf(who));
    if (isTold && !lower.includes(figure.replace(/[.,]$/, ''))) return true;
  }
  if (GOVERNING[language].some((one) => !one[1].test(lower) && isOfGoverned(claim, statement, one[0], concepts)))
    return true;
  if (DONE.test(lower) && !OBLIGES.test(lower)) {
    const isDone = ({ groups: { verb = '' } = {} }: RegExpMatchArray): boolean => claim.has(concepts.meaningOf(verb));
    if ([...statement.matchAll(OBLIGED[language])].some(isDone)) return true;
  }
  if (DENIES.test(lower)) return false;
  const { matrix = '' } = TOLD_FIRST.exec(statement)?.groups ?? {};
  if (DENIED_BEHIND.test(matrix)) return true;
  const asides = [...statement.matchAll(NOT_THIS[language])];
  // The statement is read once for each.
  if (asides.length > MOST_ASIDES) return true;
  return asides.some(({ index, 0: { length }, groups: { aside = '' } = {} }) => {
    const others = contentOf(`${statement.slice(0, index)} ${statement.slice(index + length)}`, concepts);
    const own = contentOf(aside, concepts).filter((one) => !others.includes(one));
    return own.some((one) => claim.has(concepts.meaningOf(one)));
  });
}

/** Whether a sentence has words of what stands behind a reservation. */
function isOfGoverned(claim: Operand, statement: string, reserved: RegExp, concepts: Concepts): boolean {
  const found = reserved.exec(statement);
  if (!found) return false;
  const end = found.index + found[0].length;
  const [behind = ''] = statement.slice(end, end + LONGEST_GOVERNED).split(END_OF_GOVERNED, 1);
  return contentOf(found[0] + behind, concepts).some((one) => claim.has(concepts.meaningOf(one)));
}

function contentOf(text: string, { words, language }: Concepts): string[] {
  return readWords(text, language)
    .map(({ lower }) => lower)
    .filter((lower) => !words.isStopWord(lower) && !/^\p{N}/u.test(lower));
}

function reservation(reserved: string, kept: string): Reservation {
  return [word(reserved), word(kept)];
}

function word(source: string): RegExp {
  return new RegExp(String.raw`(?<!\p{L})(?:${source})(?!\p{L})`, 'u');
}
