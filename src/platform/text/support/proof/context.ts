import type { Concepts, Meaning, ProvenLanguage } from './concepts.js';
import { readWords } from '../words.js';

/** More of a condition is not looked at, in UTF-16 units. */
const CONDITION = String.raw`([^,;:.!?]{1,300})`;
/** What may stand between a verb and what is told. */
const BETWEEN = String.raw`(?: [\p{L}\d'-]{1,20}){0,5}`;
/** What is told begins with it. */
const TOLD = String.raw` ?(?::|,? ["“”„«»]|,? '(?!\p{L}))`;

const VERBS: Readonly<Record<ProvenLanguage, string>> = {
  en:
    'say says said saying write writes wrote written writing state states stated stating claim claims claimed claiming ' +
    'answer answers answered reply replies replied report reports reported tell tells told argue argues argued assert ' +
    'asserts asserted insist insists insisted believe believes believed think thinks thought suppose supposed assume ' +
    'assumes assumed suggest suggests suggested allege alleges alleged deny denies denied doubt doubts doubted imagine ' +
    'pretend pretends pretended output print repeat conclude mention mentions mentioned respond responds responded ' +
    'announce announces announced warn warns warned tweet tweeted tweets post posted posts convinced fear fears feared hope hopes hoped lie lies lied myth false untrue rumour rumor rumours ' +
    'rumors legend hoax misconception unlikely unclear doubtful wrong',
  de:
    'sag sage sagt sagte sagen sagten schreib schreibe schreibt schrieb schreiben behaupte behauptet behauptete behaupten ' +
    'behaupteten antworte antwortet antwortete antworten melde meldet meldete melden berichte berichtet berichtete ' +
    'berichten erzähle erzählt erzählte erzählen glaube glaubt glaubte glauben denke denkt dachte denken meine meint ' +
    'meinte meinen erkläre erklärt erklärte erklären bestreite bestreitet bestritt bestreiten bezweifle bezweifelt ' +
    'bezweifelte bezweifeln vermute vermutet vermutete vermuten nenne wiederhole wiederholt füge hoffe hofft hoffte ' +
    'hoffen fürchtet fürchtete lüge lügt falsch gerücht legende märchen irrtum unwahr unklar zweifelhaft',
};
const CONJUNCTIONS: Readonly<Record<ProvenLanguage, string>> = { en: '(?:that|whether)', de: '(?:dass|daß|ob)' };
const CONDITIONS: Readonly<Record<ProvenLanguage, string>> = {
  en: '(?:if|unless|provided that|provided(?= [^,;:.]{1,200} (?:is|are|was|were|has|have|can)(?!\\p{L}))|assuming|only when|as long as|except (?:in|for|if|when|that|where)|in (?:the )?(?:case|event) of|on condition that)',
  de: '(?:wenn|falls|sofern|soweit|solange|außer|es sei denn,?(?: dass)?|vorausgesetzt|im fall(?:e)?|unter der bedingung)',
};
/** Names of whoever speaks in a chat, marks between such turns, and what stands before direct speech. */
const SPEECH =
  /^as (?:if|though) |^ ?["'([#*<]* ?(?:assistant|system|user|human|ai|assistent|benutzer|nutzer)[\])>*"']* ?:|: ?["“„«]|<\|\p{L}|\|>|\[\/?inst\]|<<\/?sys>>/u;
/** Whose statement it is, without a verb. */
const OF_SOMEBODY = /(?<!\p{L})(?:according to|laut|zufolge|angeblich|allegedly|reportedly)(?!\p{L})/u;
/** Speech without a conjunction: `he said the bridge is closed`, `sie meint, die Brücke sei gesperrt`. */
const BARE: Readonly<Record<ProvenLanguage, RegExp>> = {
  en: /(?<!\p{L})(?:says|said|claims|claimed|claim|say|believes?|believed|thinks?|thought|argues?|argued|insists?|insisted|warns?|warned|allege[sd]?|suppose|imagine|dreamed|dreamt|convinced) (?:the|an?|its?|he|she|they|this|these|there)(?!\p{L})/u,
  de: /(?<!\p{L})sei(?:en)?(?!\p{L}| es(?!\p{L})| denn(?!\p{L}))/u,
};

/** `Ist der Patient versichert, ist es kostenlos`: a condition without a conjunction. */
const VERB_FIRST =
  /^(?:ist|sind|hat|haben|wird|werden|war|kann|können|muss|müssen|soll|sollte|kommt|liegt|fehlt|besteht) ([^,;:.!?]{1,300}), (?:so |dann )?(?:ist|sind|hat|haben|wird|werden|kann|können|darf|dürfen|muss|müssen|gilt|gelten|\p{L}{2,}t) /u;

interface Patterns {
  readonly told: RegExp;
  readonly verb: RegExp;
  readonly condition: RegExp;
}

const patterns: Readonly<Record<ProvenLanguage, Patterns>> = { en: patternsOf('en'), de: patternsOf('de') };

/**
 * Says whether a sentence leaves out in which context its source puts it: that somebody says, orders, believes or denies
 * it, that it is no truth, or on what it depends. Both are plain and in lower case.
 * @param has whether the sentence has a word of this meaning
 */
export function leavesContextOut(
  claim: string,
  source: string,
  concepts: Concepts,
  has: (meaning: Meaning) => boolean,
): boolean {
  const { told, verb, condition } = patterns[concepts.language];
  const isTold = [told, SPEECH, BARE[concepts.language]].some((pattern) => pattern.test(source));
  if ((isTold || OF_SOMEBODY.test(source)) && ![verb, OF_SOMEBODY].some((pattern) => pattern.test(claim))) return true;
  const conditions = [...source.matchAll(condition)].map(([, words = '']) => words);
  if (concepts.language === 'de') conditions.push(VERB_FIRST.exec(source)?.[1] ?? '');
  return conditions.some((words) => !isNamed(words, concepts, has));
}

/** Whether anything of a condition is named. */
function isNamed(condition: string, concepts: Concepts, has: (meaning: Meaning) => boolean): boolean {
  const { words, language } = concepts;
  const content = readWords(condition, language).filter(({ lower }) => !words.isStopWord(lower));
  return content.length === 0 || content.some(({ lower }) => has(concepts.meaningOf(lower)));
}

function patternsOf(language: ProvenLanguage): Patterns {
  const verb = String.raw`(?<!\p{L})(?:${VERBS[language].split(' ').join('|')})(?!\p{L})`;
  const told = String.raw`${verb}${BETWEEN}(?:,? ${CONJUNCTIONS[language]}(?!\p{L})|${TOLD})`;
  return {
    told: new RegExp(told, 'u'),
    verb: new RegExp(verb, 'u'),
    condition: new RegExp(String.raw`(?<!\p{L})${CONDITIONS[language]} ${CONDITION}`, 'gu'),
  };
}
