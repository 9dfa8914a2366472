import { toNegation } from '../negations.js';
import type { Concepts, ProvenLanguage } from './concepts.js';
import type { Operand } from './operand.js';
import { leavesReservationOut, RESERVATIONS } from './reservations.js';

/**
 * Words that set what they govern apart from what is so, by language: a line is a class, of which a sentence needs one word
 * where its source has one. They deny, reproach, keep from, intend, end, or tell that it is in animals or not real.
 */
const OPERATORS: Readonly<Record<ProvenLanguage, string>> = {
  en: `
deny denies denied denying denial refute refutes refuted refuting disprove disproves disproved disproven debunk debunked reject rejects rejected rejecting dispute disputes disputed contest contested contradict contradicts contradicted dismiss dismisses dismissed withdrew retract retracted
doubt doubts doubted doubtful unclear unproven unconfirmed unlikely disputed
myth myths rumour rumor rumours rumors hoax hoaxes misconception misconceptions fallacy legend legends conspiracy lied lying false falsely wrongly mistakenly untrue unfounded baseless fiction fictional fictitious hypothetical hypothetically imaginary purported supposed so-called imagine imagined suppose supposing pretend pretends pretended dream dreamed dreamt
acquitted cleared charged indicted arraigned prosecuted
accuse accuses accused accusing accusation accusations allege alleges alleged allegation allegations suspect suspects suspected suspicion suspicions claim claims claimed claiming
refuse refuses refused refusing refusal avoid avoids avoided avoiding avoidance evade evades evaded neglect neglects neglected omit omits omitted forgot stop stops stopped stopping cease ceases ceased quit abandon abandons abandoned halt halts halted suspend suspends suspended prevent prevents prevented lack lacks lacked lacking absence fail fails failed failing failure
want wants wanted wish wishes wished hope hopes hoped try tries tried trying attempt attempts attempted seek seeks sought threaten threatens threatened threat promise promises promised pledge pledges pledged vow vows vowed propose proposes proposed proposal consider considers considered considering demand demands demanded urge urges urged aim aims aimed
overturn overturns overturned overturning quash quashed annul annulled annulment nullified invalidated reversed resist resists resisted oppose opposes opposed thwart thwarted blocked veto vetoed cancel cancelled canceled
former formerly onetime ex expired revoked withdrawn repealed rescinded lapsed obsolete
mice mouse rats rodents monkeys vitro simulation simulations
except excepting barring
`,
  de: `
bestreitet bestritt bestritten bestreiten leugnet leugnete leugnen dementiert dementierte dementieren widerlegt widerlegte widerlegen zurückgewiesen zurückwies zurückweist abgelehnt ablehnte ablehnten ablehnt widerspricht widersprach widerrufen verneint verneinte
bezweifelt bezweifelte bezweifeln zweifel zweifelhaft zweifelt unklar unbewiesen
gerücht gerüchte legende märchen irrtum mythos mythen lüge lügen falsch fälschlich fälschlicherweise irrtümlich unwahr haltlos erfunden fiktiv hypothetisch vermeintlich sogenannte angebliche angeblichen
beschuldigt beschuldigte vorgeworfen vorwirft vorwarf vorwurf vorwürfe anschuldigung anschuldigungen verdacht verdächtigt behauptet behauptete behauptung behauptungen
weigert weigerte weigerten weigerung vermied vermeidet vermeiden vermieden unterließ unterlässt unterlassen versäumt versäumte vergaß verzichtet verzichtete verzichten verhindert verhinderte verhindern eingestellt aufgehört aufhörte mangelt fehlt fehlte fehlen fehlend fehlende scheitert scheiterte gescheitert abwesenheit
will wollte wollen wollten möchte möchten wünscht versucht versuchte versuchen droht drohte drohen drohung verspricht versprach versprechen versprochen beabsichtigt beabsichtigte erwägt erwog fordert forderte fordern verlangt verlangte schlägt vorgeschlagen vorschlag vorhat hofft hoffte
annulliert annullierte annullieren aufhebt aufhob aufhoben gekippt kippte kippt rückgängig widersetzt widersetzte widersetzten blockiert blockierte blockierten vereitelt vereitelte storniert stornierte absagte abgesagt freispricht freisprach freigesprochen
ehemals ehemalig ehemalige ehemaliger ehemaligen ehemaliges früher frühere früherer früheren einst einstige aufgehoben abgelaufen erloschen
mäuse mäusen ratten tierversuch tierversuchen labor simulation
hätte hätten wäre wären würde würden könnte könnten
außer
`,
};
/** What does so in several words, with what a sentence may have instead. */
const PHRASES: Readonly<Record<ProvenLanguage, readonly (readonly [operator: RegExp, kept: RegExp])[]>> = {
  en: [
    [/\b(?:little|scant|weak|insufficient|hardly any|no) evidence\b/u, /\bevidence\b/u],
    [/\byet to be\b/u, /\b(?:yet|not|n't)\b/u],
    [/\bused to (?!hold\b)/u, /\b(?:used to|formerly|once|previously|until)\b/u],
    [/\b(?:call(?:s|ed)? for|in favou?r of)\b/u, /\b(?:call|favou?r|demand|want)/u],
    [/^(?:had|were|should) .{1,300}, .{0,100}\b(?:would|could|might)\b/u, /\b(?:would|could|might|if)\b/u],
  ],
  de: [
    [/(?<!\p{L})(?:kaum|keine|wenige?) (?:belege|beweise|hinweise)(?!\p{L})/u, /(?:beleg|beweis|hinweis)/u],
    [/(?<!\p{L})(?:noch nicht|nicht mehr)(?!\p{L})/u, /(?<!\p{L})(?:nicht|kein\p{L}*)(?!\p{L})/u],
  ],
};
const phrases = { en: [...PHRASES.en, ...RESERVATIONS.en], de: [...PHRASES.de, ...RESERVATIONS.de] };
/** Struck through, or written with letters of another script that look alike: nobody can tell what it says. */
const DISGUISED = /[\u0335-\u0338]|\p{Script=Latin}[\p{Script=Cyrillic}ο]|[\p{Script=Cyrillic}ο]\p{Script=Latin}/u;
/** What begins another statement of a sentence, which an operator of the first does not reach. */
const STATEMENT =
  / ?[;:] |[.!?] (?=\p{L})|,? (?:but|while|whereas|although|because|aber|während|sondern|obwohl|weil) |, (?:and|und) /u;
const WORDS = /[\p{L}-]+/gu;
/** An infinitive or gerund with the word that governs it. */
const GOVERNED: Readonly<Record<ProvenLanguage, RegExp>> = {
  en: /(?<governor>\p{L}+) (?:[\p{L}]+self )?to (?<verb>\p{L}{2,})|(?<governor>\p{L}+ed(?: of| from| against)?) (?:having )?(?<verb>\p{L}{2,}(?:ing|ed|id|en))(?!\p{L})/gu,
  de: /(?<governor>)(?:(?<!\p{L})zu (?<verb>\p{L}{2,}n)|(?<verb>\p{L}{2,4}zu\p{L}{2,}en))(?!\p{L})/gu,
};
/** What is done where it is begun, gone on with or brought about. */
const FACTIVE =
  /^(?:began|begins?|begun|start(?:s|ed)?|continue[sd]?|manage[sd]?|able|has|have|had|help(?:s|ed)?|goes|went|move[sd]?)$/u;

const JOINED = / (?:and|und)(?= )/gu;
const CONJUNCTION = /,? (?:that|whether|dass|daß|ob) /u;
const CONSEQUENCE = /(?:^|[\s,])(?:so|such|now|in|than|so sehr|dadurch|damit)$/u;
/** What says that a thing is so. */
const PROVING =
  /(?<!\p{L})(?:show|found|finds?|finding|demonstrat|prove|proof|confirm|discover|reveal|establish|note[ds]?|know|knew|mean|ensur|fact|clear|true|zeig|beleg|beweis|bewies|bestätig|festgestellt|feststell|stellt|herausgefunden|herausf|fand|weiß|nachgewiesen|nachweis|bedeutet|heißt|klar|tatsache|wahr)/u;

const classes: Readonly<Record<ProvenLanguage, ReadonlyMap<string, number>>> = { en: toMap('en'), de: toMap('de') };

/**
 * Says whether the statement that a sentence is taken from has an operator that the sentence has not: a word that denies,
 * intends or the like, an infinitive or gerund without the verb that governs it, or what is disguised.
 */
export function leavesOperatorOut(claim: Operand, source: Operand, concepts: Concepts): boolean {
  const { language } = concepts;
  if (DISGUISED.test(source.lower) && !DISGUISED.test(claim.lower)) return true;
  const kept = new Set(wordsOf(claim.lower).map((word) => classes[language].get(word)));
  const statements = source.lower.split(STATEMENT).map((text) => reached(claim, text, concepts));
  const most = Math.max(...statements.map(({ shared }) => shared));
  return statements.some(({ text, shared }) => {
    if (shared < Math.min(2, most)) return false;
    const isOperator = (word: string): boolean => {
      const known = classes[language].get(word);
      return known !== undefined && !kept.has(known) && !claim.has(concepts.meaningOf(word));
    };
    return (
      wordsOf(text).some(isOperator) ||
      phrases[language].some(([operator, instead]) => operator.test(text) && !instead.test(claim.lower)) ||
      leavesReservationOut(claim, text, concepts) ||
      isMatrixMissing(claim, text, concepts) ||
      isUngoverned(claim, source, text, concepts)
    );
  });
}

/** A statement without what is added to it by `and` and has no word of the sentence that is not before it. */
function reached(claim: Operand, statement: string, concepts: Concepts): { text: string; shared: number } {
  const ends = firstEnds(claim, statement, concepts);
  const needed = Math.max(1, ...ends);
  const added = Array.from(statement.matchAll(JOINED), ({ index }) => index).find((at) => at >= needed);
  return { text: statement.slice(0, added), shared: ends.length };
}

/** For each word of the sentence that a statement has, too, where the first such word ends. Each word is read once. */
function firstEnds(claim: Operand, statement: string, concepts: Concepts): number[] {
  const ends = new Map<string, number>();
  for (const { index, 0: word } of statement.matchAll(WORDS)) {
    if (!ends.has(word)) ends.set(word, index + word.length);
  }
  const given = Array.from(ends, ([word, end]) => ({ meaning: concepts.meaningOf(word), end }));
  return claim.content.flatMap((word) => given.find(({ meaning }) => concepts.isSame(word, meaning))?.end ?? []);
}

/** Whether nothing is left of what a statement with `that` is put in, unless that says that it is so. */
function isMatrixMissing(claim: Operand, statement: string, concepts: Concepts): boolean {
  const [matrix = '', ...told] = statement.split(CONJUNCTION);
  if (told.length === 0 || CONSEQUENCE.test(matrix) || firstEnds(claim, matrix, concepts).length > 0) return false;
  const isDenied = wordsOf(matrix).some((word) => toNegation(word, concepts.language) !== undefined);
  return isDenied || !PROVING.test(matrix);
}

/** Whether what is governed in a source, as `closing` in `considered closing`, is said to be so. */
function isUngoverned(claim: Operand, source: Operand, text: string, concepts: Concepts): boolean {
  return [...text.matchAll(GOVERNED[concepts.language])].some(({ groups: { governor = '', verb = '' } = {} }) => {
    const [head = ''] = governor.split(' ');
    if (FACTIVE.test(head) || (head !== '' && claim.has(concepts.meaningOf(head)))) return false;
    const meaning = concepts.meaningOf(verb);
    if (/muss|müssen/u.test(text) && /muss|müssen/u.test(claim.lower)) return false;
    const isFinite = claim.content.some(({ lower, stem, groups }) => {
      return lower !== verb && concepts.isSame({ lower, stem, groups }, meaning) && !lower.endsWith('ing');
    });
    return isFinite && (head !== '' || isVerbMissing(claim, source, verb));
  });
}

/** Whether a German verb of the source, which stands far from what it governs, is not in the sentence. */
function isVerbMissing(claim: Operand, source: Operand, governed: string): boolean {
  return source.content.some((word) => {
    return !word.isCapital && !word.isLight && word.lower !== governed && !claim.has(word);
  });
}

function wordsOf(text: string): string[] {
  return text.match(WORDS) ?? [];
}

function toMap(language: ProvenLanguage): ReadonlyMap<string, number> {
  const lines = OPERATORS[language].trim().split('\n');
  return new Map(lines.flatMap((line, index) => line.split(' ').map((word) => [word, index] as const)));
}
