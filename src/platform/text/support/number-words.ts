/** What the word for a number says: `isCertain` where it is no article too. */
export interface NumberWord {
  readonly value: string;
  readonly isCertain: boolean;
}

/** From zero on; variants of a number stand between bars. */
const CARDINALS: Readonly<Record<string, string>> = {
  en:
    'zero - two three four five six seven eight nine ten eleven twelve ' +
    'thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty',
  de:
    'null eins zwei|zwo drei vier fünf sechs sieben acht neun zehn elf zwölf ' +
    'dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig',
  fr: 'zéro - deux trois quatre cinq six sept huit neuf dix onze douze ' + 'treize quatorze quinze seize - - - vingt',
  es:
    'cero - dos tres cuatro cinco seis siete ocho nueve diez once doce ' +
    'trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte',
  it:
    'zero - due tre quattro cinque sei sette otto nove dieci undici dodici ' +
    'tredici quattordici quindici sedici diciassette diciotto diciannove venti',
  pt:
    'zero - dois|duas três quatro cinco seis sete oito nove dez onze doze ' +
    'treze catorze|quatorze quinze dezesseis|dezasseis dezessete|dezassete dezoito dezenove|dezanove vinte',
  nl:
    'nul één twee drie vier vijf zes zeven acht negen tien elf twaalf ' +
    'dertien veertien vijftien zestien zeventien achttien negentien twintig',
};
/** From thirty on, by ten. */
const TENS: Readonly<Record<string, string>> = {
  en: 'thirty forty fifty sixty seventy eighty ninety',
  de: 'dreißig|dreissig vierzig fünfzig sechzig siebzig achtzig neunzig',
  fr: 'trente quarante cinquante soixante septante - nonante',
  es: 'treinta cuarenta cincuenta sesenta setenta ochenta noventa',
  it: 'trenta quaranta cinquanta sessanta settanta ottanta novanta',
  pt: 'trinta quarenta cinquenta sessenta setenta oitenta noventa',
  nl: 'dertig veertig vijftig zestig zeventig tachtig negentig',
};
/** Words that may say one, and mostly do not. */
const ONES: Readonly<Record<string, string>> = {
  en: 'one a an single',
  de: 'ein eine einen einem einer eines',
  fr: 'un une',
  es: 'un una uno',
  it: 'un una uno',
  pt: 'um uma',
  nl: 'een',
};
const ORDINALS: Readonly<Record<string, string>> = {
  en: 'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth',
  de: 'erste zweite dritte vierte fünfte sechste siebte|siebente achte neunte zehnte elfte zwölfte',
};
const GERMAN_ENDINGS = ['', 'n', 'r', 's', 'm'];

const languages: ReadonlyMap<string, ReadonlyMap<string, NumberWord>> = new Map(
  Object.keys(CARDINALS).map((language) => [language, toWords(language)]),
);

/** Answers the number that a word in lower case stands for, up to twenty and by tens to ninety; undefined where it is none or the language is not known. */
export function toNumberWord(word: string, language: string): NumberWord | undefined {
  return languages.get(language)?.get(word);
}

function toWords(language: string): ReadonlyMap<string, NumberWord> {
  const words = new Map<string, NumberWord>();
  const add = (list: string, first: number, endings: readonly string[] = [''], step = 1): void => {
    for (const [index, variants] of list.split(' ').entries()) {
      for (const word of variants.split('|')) {
        for (const end of endings) words.set(word + end, { value: String(first + step * index), isCertain: true });
      }
    }
  };
  add(CARDINALS[language] ?? '', 0);
  add(TENS[language] ?? '', 30, [''], 10);
  if (ORDINALS[language]) add(ORDINALS[language], 1, language === 'de' ? GERMAN_ENDINGS : ['']);
  words.delete('-');
  for (const word of (ONES[language] ?? '').split(' ')) words.set(word, { value: '1', isCertain: false });
  return words;
}
