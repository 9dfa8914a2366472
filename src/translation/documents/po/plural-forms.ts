/** The plural forms of a language, as gettext counts them. */
export interface PluralForms {
  readonly count: number;
  /** A C expression of `n` that is a form's index. */
  readonly rule: string;
}

const ONE: PluralForms = { count: 1, rule: '0' };
const TWO: PluralForms = { count: 2, rule: '(n != 1)' };
const ZERO_AND_ONE: PluralForms = { count: 2, rule: '(n > 1)' };
const EAST_SLAVIC: PluralForms = {
  count: 3,
  rule: '(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2)',
};
const WEST_SLAVIC: PluralForms = { count: 3, rule: '(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2' };

/** By the primary subtag; others have two forms. */
const RULES: Readonly<Record<string, PluralForms>> = {
  ...Object.fromEntries(['id', 'ja', 'ko', 'lo', 'ms', 'my', 'th', 'vi', 'zh'].map((language) => [language, ONE])),
  ...Object.fromEntries(['am', 'br', 'fa', 'fil', 'fr', 'hi', 'oc', 'tr'].map((language) => [language, ZERO_AND_ONE])),
  ...Object.fromEntries(['be', 'bs', 'hr', 'ru', 'sr', 'uk'].map((language) => [language, EAST_SLAVIC])),
  ...Object.fromEntries(['cs', 'sk'].map((language) => [language, WEST_SLAVIC])),
  pl: { count: 3, rule: '(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2)' },
  lt: { count: 3, rule: '(n%10==1 && n%100!=11 ? 0 : n%10>=2 && (n%100<10 || n%100>=20) ? 1 : 2)' },
  lv: { count: 3, rule: '(n%10==1 && n%100!=11 ? 0 : n != 0 ? 1 : 2)' },
  ro: { count: 3, rule: '(n==1 ? 0 : (n==0 || (n%100 > 0 && n%100 < 20)) ? 1 : 2)' },
  sl: { count: 4, rule: '(n%100==1 ? 0 : n%100==2 ? 1 : n%100==3 || n%100==4 ? 2 : 3)' },
  ga: { count: 5, rule: '(n==1 ? 0 : n==2 ? 1 : n<7 ? 2 : n<11 ? 3 : 4)' },
  ar: { count: 6, rule: '(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5)' },
  'pt-BR': ZERO_AND_ONE,
};

/** The plural forms of a language (BCP 47). */
export function pluralForms(language: string): PluralForms {
  const [subtag = ''] = language.split('-');
  const key = [language, subtag].find((name) => Object.hasOwn(RULES, name));
  return (key === undefined ? undefined : RULES[key]) ?? TWO;
}
