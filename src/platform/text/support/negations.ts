/** How a word denies: what is said, or that something goes with it. Two words of one kind deny once, as `ne … pas` does. */
export type NegationKind = 'not' | 'without';

/** Words that say that something is not so, by language; a last `*` stands for any ending. */
const NEGATIONS: Readonly<Record<string, string>> = {
  en: "not no never none neither nor nobody nothing nowhere without cannot *n't",
  de: 'nicht kein* nie niemals niemand* nichts ohne weder nirgends keinesfalls keineswegs',
  fr: 'ne pas jamais aucun* rien sans non ni nul nulle',
  es: 'no nunca jamás ningun* ningún nada nadie sin tampoco ni',
  it: 'non mai nessun* niente nulla né senza',
  pt: 'não nunca jamais nenhum* nada ninguém sem nem',
  nl: 'niet geen nooit niets niemand zonder noch nergens',
  sv: 'inte ej aldrig ingen inget inga utan icke',
  da: 'ikke ej aldrig ingen intet uden',
  no: 'ikke ei aldri ingen intet uten',
  fi: 'ei en et emme ette eivät ilman älä',
  pl: 'nie nigdy nikt nic żaden żadn* bez ani',
  cs: 'ne není nikdy nikdo nic žádn* bez ani nesmí nemůže nemá nelze',
  ru: 'не нет никогда никто ничего ни без нельзя',
  uk: 'не ні ніколи ніхто нічого без немає',
  tr: 'değil yok hiç asla',
  ar: 'لا ليس ليست لم لن بدون',
  he: 'לא אין אינו אינה בלי',
};
const EVERYWHERE = Object.values(NEGATIONS).join(' ');

const WITHOUT: ReadonlySet<string> = new Set(
  'without ohne sans sin senza sem zonder utan uden uten ilman bez без بدون בלי'.split(' '),
);

/** Scripts without spaces: where their sign stands, something is not so. */
const SIGNS = /[不沒没無无非未]|ない|なし|ません|ざる|않|없|아니|못하|ไม่/u;

/** What begins a part of a sentence that the negation before it is not of. */
const CONTRASTS =
  'but however although while whereas aber jedoch sondern obwohl während mais cependant pero sino ma però mas maar men но а ale';

const contrasts: ReadonlySet<string> = new Set(CONTRASTS.split(' '));
const matchers = new Map<string, (word: string) => boolean>();

/**
 * Tells how a word in lower case, with straight apostrophes, denies; undefined where it does not.
 * @param language primary subtag of BCP 47; of others than those that are known, the words of all count
 */
export function toNegation(word: string, language: string): NegationKind | undefined {
  if (SIGNS.test(word)) return 'not';
  const known = Object.hasOwn(NEGATIONS, language) ? language : '';
  let matches = matchers.get(known);
  if (!matches) {
    matches = toMatcher((NEGATIONS[known] ?? EVERYWHERE).split(' '));
    matchers.set(known, matches);
  }
  if (!matches(word)) return undefined;
  return WITHOUT.has(word) ? 'without' : 'not';
}

/** Says whether a word in lower case sets what follows against what was said. */
export function isContrast(word: string): boolean {
  return contrasts.has(word);
}

function toMatcher(forms: readonly string[]): (word: string) => boolean {
  const whole = new Set(forms.filter((form) => !form.includes('*')));
  const beginnings = forms.filter((form) => form.endsWith('*')).map((form) => form.slice(0, -1));
  const endings = forms.filter((form) => form.startsWith('*')).map((form) => form.slice(1));
  return (word) =>
    whole.has(word) ||
    beginnings.some((beginning) => word.startsWith(beginning)) ||
    endings.some((ending) => word.endsWith(ending));
}
