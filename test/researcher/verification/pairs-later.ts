import type { LabelledQuote } from './pair-kind.js';

/** Pairs that were written when the rules stood; one rule of roles was added after them. */
export const LATER: readonly LabelledQuote[] = [
  {
    language: 'en',
    quote: 'The orchestra cancelled its spring tour after two musicians had tested positive.',
    sentences: [
      ['paraphrase', 'After two musicians had tested positive, the orchestra cancelled its spring tour.'],
      ['paraphrase', 'The spring tour was cancelled by the orchestra.'],
      ['number', 'The orchestra cancelled its spring tour after ten musicians had tested positive.'],
      ['word', 'The orchestra postponed its spring tour.'],
    ],
  },
  {
    language: 'en',
    quote: 'Researchers in Lisbon found that bees remember human faces for at least two days.',
    sentences: [
      ['paraphrase', 'Bees remember human faces for at least two days, researchers in Lisbon found.'],
      ['roles', 'Humans remember the faces of bees for at least two days.'],
      ['name', 'Researchers in Madrid found that bees remember human faces.'],
      ['direction', 'Researchers found that bees remember human faces for at most two days.'],
    ],
  },
  {
    language: 'en',
    quote: 'The library opens at 9 a.m. on weekdays and is closed on public holidays.',
    sentences: [
      ['paraphrase', 'On weekdays, the library opens at 9 a.m.'],
      ['paraphrase', 'The library is closed on public holidays.'],
      ['negation', 'The library is not closed on public holidays.'],
      ['direction', 'The library is open on public holidays.'],
    ],
  },
  {
    language: 'en',
    quote: 'Lead pipes were banned in Orrin in 1974, but many older houses still have them.',
    sentences: [
      ['paraphrase', 'In Orrin, lead pipes were banned in 1974.'],
      ['negation', 'Lead pipes were allowed in Orrin in 1974.'],
      ['quantifier', 'All older houses still have lead pipes.'],
      ['date', 'Lead pipes were banned in Orrin in 1947.'],
    ],
  },
  {
    language: 'en',
    quote: 'The senator accused the governor of hiding the report from voters.',
    sentences: [
      ['paraphrase', 'The governor was accused by the senator of hiding the report from voters.'],
      ['roles', 'The governor accused the senator of hiding the report from voters.'],
      ['roles', 'Voters accused the governor of hiding the report.'],
      ['word', 'The senator accused the governor of burning the report.'],
    ],
  },
  {
    language: 'de',
    quote: 'Die Rechnung ist innerhalb von 14 Tagen zu bezahlen, sonst fallen Zinsen von 5 Prozent an.',
    sentences: [
      ['paraphrase', 'Die Rechnung muss innerhalb von 14 Tagen bezahlt werden.'],
      ['number', 'Die Rechnung ist innerhalb von 40 Tagen zu bezahlen.'],
      ['unit', 'Die Rechnung ist innerhalb von 14 Wochen zu bezahlen.'],
      ['number', 'Sonst fallen Zinsen von 14 Prozent an.'],
    ],
  },
  {
    language: 'de',
    quote: 'Viele Gemeinden haben ihre Schwimmbäder geschlossen, weil die Heizkosten stark gestiegen sind.',
    sentences: [
      ['paraphrase', 'Weil die Heizkosten stark gestiegen sind, haben viele Gemeinden ihre Schwimmbäder geschlossen.'],
      ['quantifier', 'Alle Gemeinden haben ihre Schwimmbäder geschlossen.'],
      ['direction', 'Die Heizkosten sind stark gesunken.'],
      ['word', 'Viele Gemeinden haben ihre Büchereien geschlossen.'],
    ],
  },
  {
    language: 'de',
    quote: 'Der Zeuge erkannte den Angeklagten auf dem Foto, konnte sich aber nicht an das Auto erinnern.',
    sentences: [
      ['paraphrase', 'Auf dem Foto erkannte der Zeuge den Angeklagten.'],
      ['paraphrase', 'Den Angeklagten erkannte der Zeuge auf dem Foto.'],
      ['roles', 'Der Angeklagte erkannte den Zeugen auf dem Foto.'],
      ['negation', 'Der Zeuge konnte sich an das Auto erinnern.'],
    ],
  },
  {
    language: 'de',
    quote: 'Seit 2012 betreibt die Familie Ott das Hotel am See, vorher gehörte es der Stadt Lindau.',
    sentences: [
      ['paraphrase', 'Die Familie Ott betreibt das Hotel am See seit 2012.'],
      ['date', 'Seit 2021 betreibt die Familie Ott das Hotel am See.'],
      ['name', 'Seit 2012 betreibt die Familie Ulm das Hotel am See.'],
      ['roles', 'Seit 2012 betreibt die Stadt Lindau das Hotel am See.'],
    ],
  },
  {
    language: 'de',
    quote: 'Kinder unter sechs Jahren fahren kostenlos, für ältere Kinder kostet die Fahrt 2 Euro.',
    sentences: [
      ['paraphrase', 'Kinder unter sechs Jahren fahren gratis.'],
      ['direction', 'Kinder über sechs Jahren fahren kostenlos.'],
      ['roles', 'Für Kinder unter sechs Jahren kostet die Fahrt 2 Euro.'],
      ['unit', 'Für ältere Kinder kostet die Fahrt 2 Dollar.'],
    ],
  },
];
