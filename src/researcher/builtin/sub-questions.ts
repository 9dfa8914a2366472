/** Sub-questions of one question, itself among them. */
const MOST = 6;
const LONGEST = 1_000;
const LONGEST_TOPIC = 200;

const QUESTION_WORDS =
  'what|which|who|whose|when|where|why|how|is|are|does|do|can|was|were|did|has|have|was|welche[rsnm]?|wer|wessen|wann|wo|warum|' +
  'weshalb|wie|wieso|wozu|ist|sind|kann|können|hat|haben|wird|werden';
/** Where a question asks for two things: at its mark, a semicolon, or before a second question word. */
const PARTS = new RegExp(`[?;\\n]+|,? (?:and|und|or|oder) (?=(?:${QUESTION_WORDS})(?!\\p{L}))`, 'iu');
const COMPARED = [
  /(?:differences?|comparison) between (.{2,80}?) and (.{2,80})/iu,
  /(?:unterschiede?|vergleich) zwischen (.{2,80}?) und (.{2,80})/iu,
  /(?:^|compare |vergleiche )(.{2,80}?) (?:versus|vs\.?|compared (?:to|with)|gegenüber|im vergleich (?:zu|mit)) (.{2,80})/iu,
];
/** What a question begins with, to be taken off its topic. */
const OPENING = new RegExp(
  `^(?:(?:${QUESTION_WORDS}|the|a|an|der|die|das|ein|eine|there|it|many|much|long|often|viele|viel|lange|oft|hoch|groß|schnell|alt|high|large|big|fast|old|used for)(?!\\p{L})\\s*)+`,
  'iu',
);
const GERMAN =
  /(?<!\p{L})(?:der|die|das|und|ist|sind|wird|werden|welche[rsnm]?|wie|warum|wann|wer|für|von|mit|nicht|eine?|bei|im|zur?m?)(?!\p{L})/giu;
const ENGLISH =
  /(?<!\p{L})(?:the|and|is|are|what|which|how|why|when|who|for|of|with|not|an?|does|do|in|to)(?!\p{L})/giu;

/** What is asked beside a question, by its kind: `{}` stands for its topic. */
const TEMPLATES = {
  en: [
    [/^why\b/i, ['{} reasons', '{} causes']],
    [/^how (?:many|much|long|often|large|big|high|fast)\b/i, ['{} number', '{} maximum, minimum and default']],
    [/^how\b/i, ['how does {} work', '{} steps']],
    [/^when\b/i, ['{} date', '{} history']],
    [/^who\b/i, ['{} names', '{} history']],
    [/^/, ['what is {}', '{} limits and exceptions']],
  ],
  de: [
    [/^(?:warum|weshalb|wieso)(?!\p{L})/iu, ['{} Gründe', '{} Ursachen']],
    [/^wie (?:viele?|lange|oft|groß|hoch|schnell)(?!\p{L})/iu, ['{} Anzahl', '{} Höchstwert, Mindestwert und Vorgabe']],
    [/^wie(?!\p{L})/iu, ['wie funktioniert {}', '{} Schritte']],
    [/^wann(?!\p{L})/iu, ['{} Datum', '{} Geschichte']],
    [/^wer(?!\p{L})/iu, ['{} Namen', '{} Geschichte']],
    [/^/, ['was ist {}', '{} Grenzen und Ausnahmen']],
  ],
} as const satisfies Record<'en' | 'de', readonly (readonly [RegExp, readonly string[]])[]>;

/**
 * The questions that a question is made of or leads to, by templates in English and German: itself first, its parts,
 * both sides of a comparison, and what belongs to its kind. The same question always gets the same ones.
 * @returns at most six, each once; none where the question says nothing
 */
export function subQuestionsOf(question: string): string[] {
  const whole = question.slice(0, LONGEST).replaceAll(/\s+/g, ' ').trim();
  if (!/[\p{L}\p{N}]/u.test(whole)) return [];
  const parts = whole
    .split(PARTS)
    .map((part) => part.trim())
    .filter((part) => /\p{L}{2}/u.test(part));
  const sides = COMPARED.map((comparison) => comparison.exec(whole)).find((found) => found !== null);
  const compared = sides ? sides.slice(1).map(topicOf) : [];
  const [first = whole] = parts;
  const topic = topicOf(first);
  const language = count(whole, GERMAN) > count(whole, ENGLISH) ? 'de' : 'en';
  const templates = TEMPLATES[language].find(([kind]) => kind.test(first))?.[1] ?? [];
  const derived = topic === '' ? [] : templates.map((template) => template.replace('{}', () => topic));
  const all = [whole, ...(parts.length > 1 ? parts : []), ...compared, ...derived].filter((one) => one !== '');
  const unique = new Map<string, string>();
  for (const one of all) {
    const key = one.toLowerCase().replace(/[?.!]+$/, '');
    if (!unique.has(key)) unique.set(key, one);
  }
  return [...unique.values()].slice(0, MOST);
}

/** What a question is about: it without what questions begin and end with, of its first 200 units. */
export function topicOf(question: string): string {
  return question
    .slice(0, LONGEST_TOPIC)
    .replace(OPENING, '')
    .replace(/[?.!,;:\s]+$/, '')
    .replace(/ (?:works?|functions?|funktioniert)$/i, '')
    .trim();
}

function count(text: string, words: RegExp): number {
  return text.match(words)?.length ?? 0;
}
