/** The months in order, with their variants between bars, over the languages. */
const NAMES = [
  'january|januar|jänner|janvier|enero|gennaio|janeiro|januari|jan',
  'february|februar|feber|février|febrero|febbraio|fevereiro|februari|feb|févr|fév',
  'march|märz|mars|marzo|março|maart|mar|mrz',
  'april|avril|abril|aprile|apr|avr|abr',
  'may|mai|mayo|maggio|maio|mei',
  'june|juni|juin|junio|giugno|junho|jun',
  'july|juli|juillet|julio|luglio|julho|jul|juil',
  'august|août|agosto|augustus|aug',
  'september|septembre|septiembre|settembre|setembro|sept|sep',
  'october|oktober|octobre|octubre|ottobre|outubro|oct|okt',
  'november|novembre|noviembre|novembro|nov',
  'december|dezember|décembre|diciembre|dicembre|dezembro|dec|dez|déc|dic',
];

const months: ReadonlyMap<string, number> = new Map(
  NAMES.flatMap((names, index) => names.split('|').map((name) => [name, index + 1] as const)),
);

/** A regular expression's source for any name of a month in lower case, the longest first. */
export const MONTH_NAMES = [...months.keys()].sort((a, b) => b.length - a.length).join('|');

/** Answers the number of a month, 1 to 12, by its name in lower case; undefined where it is none. */
export function toMonth(name: string): number | undefined {
  return months.get(name);
}
