import type { LabelledQuote } from './pair-kind.js';

/** The half that no rule was tuned on. */
export const HELD_OUT: readonly LabelledQuote[] = [
  {
    language: 'en',
    quote: 'The expedition led by Robert Ames reached the northern summit on 12 August 1953.',
    sentences: [
      ['paraphrase', 'On 12 August 1953, the expedition led by Robert Ames reached the northern summit.'],
      ['name', 'The expedition led by Robert Hale reached the northern summit on 12 August 1953.'],
      ['date', 'The expedition led by Robert Ames reached the northern summit on 21 August 1953.'],
      ['direction', 'The expedition led by Robert Ames reached the southern summit on 12 August 1953.'],
    ],
  },
  {
    language: 'en',
    quote: 'Vitamin D may reduce the risk of fractures in older adults, although several trials found no effect.',
    sentences: [
      ['paraphrase', 'Vitamin D may lower the risk of fractures in older adults.'],
      ['quantifier', 'Vitamin D reduces the risk of fractures in older adults.'],
      ['direction', 'Vitamin D may increase the risk of fractures in older adults.'],
      ['word', 'Vitamin D may reduce the risk of infections in older adults.'],
    ],
  },
  {
    language: 'en',
    quote: 'The parser reads files of up to 5 MB and rejects larger ones with error code 413.',
    sentences: [
      ['paraphrase', 'Files of up to 5 MB are read by the parser.'],
      ['paraphrase', 'Larger files are rejected by the parser with error code 413.'],
      ['unit', 'The parser reads files of up to 5 GB.'],
      ['direction', 'The parser rejects smaller files with error code 413.'],
    ],
  },
  {
    language: 'en',
    quote: 'Denmark exported 14,000 tonnes of butter to Britain in 1938, twice as much as in 1930.',
    sentences: [
      ['paraphrase', 'In 1938, Denmark exported 14,000 tonnes of butter to Britain.'],
      ['roles', 'Britain exported 14,000 tonnes of butter to Denmark in 1938.'],
      ['date', 'Denmark exported 14,000 tonnes of butter to Britain in 1930.'],
      ['word', 'Denmark imported 14,000 tonnes of butter in 1938.'],
    ],
  },
  {
    language: 'en',
    quote: 'Every employee must complete the safety training before working in the laboratory.',
    sentences: [
      ['paraphrase', 'All employees must complete the safety training before they work in the laboratory.'],
      ['quantifier', 'Some employees must complete the safety training before working in the laboratory.'],
      ['direction', 'Every employee must complete the safety training after working in the laboratory.'],
      ['negation', 'No employee must complete the safety training before working in the laboratory.'],
    ],
  },
  {
    language: 'en',
    quote: 'The nurse called the doctor after the patient had lost consciousness.',
    sentences: [
      ['paraphrase', 'After the patient had lost consciousness, the nurse called the doctor.'],
      ['roles', 'The doctor called the nurse after the patient had lost consciousness.'],
      ['direction', 'The nurse called the doctor before the patient had lost consciousness.'],
      ['word', 'The nurse called the lawyer after the patient had lost consciousness.'],
    ],
  },
  {
    language: 'en',
    quote: 'The index is not updated automatically when rows are deleted.',
    sentences: [
      ['paraphrase', 'When rows are deleted, the index is not automatically updated.'],
      ['negation', 'The index is updated automatically when rows are deleted.'],
      ['word', 'The index is not updated automatically when rows are inserted.'],
      ['roles', 'Rows are not deleted automatically when the index is updated.'],
    ],
  },
  {
    language: 'en',
    quote: 'Sales of electric cars in Portugal grew by 18 % to 41,500 in 2023, while diesel sales declined.',
    sentences: [
      ['paraphrase', 'In 2023, electric car sales in Portugal rose by 18 percent to 41,500.'],
      ['paraphrase', 'Diesel sales in Portugal fell in 2023.'],
      ['name', 'Sales of electric cars in Spain grew by 18 % to 41,500 in 2023.'],
      ['direction', 'Sales of diesel cars in Portugal grew in 2023.'],
    ],
  },
  {
    language: 'en',
    quote: 'Few of the surveyed farmers had access to irrigation, and most of them relied on rain.',
    sentences: [
      ['paraphrase', 'Only few of the surveyed farmers had access to irrigation.'],
      ['paraphrase', 'Most of the surveyed farmers relied on rain.'],
      ['quantifier', 'Most of the surveyed farmers had access to irrigation.'],
      ['negation', 'Most of the surveyed farmers did not rely on rain.'],
    ],
  },
  {
    language: 'en',
    quote: 'The treaty was signed by France and Italy in Geneva in 1904 and entered into force two years later.',
    sentences: [
      ['paraphrase', 'France and Italy signed the treaty in Geneva in 1904.'],
      ['paraphrase', 'The treaty came into force two years after it was signed.'],
      ['name', 'The treaty was signed by France and Spain in Geneva in 1904.'],
      ['unit', 'The treaty entered into force two months later.'],
    ],
  },
  {
    language: 'en',
    quote: 'Hannah Cole succeeded Peter Marsh as chief editor of the Tribune in January 2011.',
    sentences: [
      ['paraphrase', 'In January 2011, Hannah Cole succeeded Peter Marsh as chief editor of the Tribune.'],
      ['paraphrase', 'Peter Marsh was succeeded by Hannah Cole as chief editor in January 2011.'],
      ['roles', 'Peter Marsh succeeded Hannah Cole as chief editor of the Tribune in January 2011.'],
      ['date', 'Hannah Cole succeeded Peter Marsh as chief editor in June 2011.'],
    ],
  },
  {
    language: 'en',
    quote: 'The tower stands 96 metres high, making it taller than the cathedral.',
    sentences: [
      ['paraphrase', 'The tower is 96 m high.'],
      ['unit', 'The tower stands 96 feet high.'],
      ['roles', 'The cathedral is taller than the tower.'],
      ['number', 'The tower stands 69 metres high.'],
    ],
  },
  {
    language: 'en',
    quote: 'The software is free for schools; companies pay an annual fee of 300 dollars per user.',
    sentences: [
      ['paraphrase', 'For schools, the software is free.'],
      ['paraphrase', 'Companies pay 300 dollars per user annually.'],
      ['roles', 'Schools pay an annual fee of 300 dollars per user.'],
      ['unit', 'Companies pay an annual fee of 300 euros per user.'],
    ],
  },
  {
    language: 'de',
    quote: 'Die Brücke über die Weser wurde 1936 eröffnet und 1945 von deutschen Truppen gesprengt.',
    sentences: [
      ['paraphrase', '1936 wurde die Brücke über die Weser eröffnet.'],
      ['paraphrase', 'Deutsche Truppen sprengten die Brücke 1945.'],
      ['date', 'Die Brücke über die Weser wurde 1945 eröffnet.'],
      ['name', 'Die Brücke über die Elbe wurde 1936 eröffnet.'],
    ],
  },
  {
    language: 'de',
    quote: 'Der Mieter darf die Wohnung nur mit Zustimmung des Vermieters untervermieten.',
    sentences: [
      ['paraphrase', 'Nur mit Zustimmung des Vermieters darf der Mieter die Wohnung untervermieten.'],
      ['roles', 'Der Vermieter darf die Wohnung nur mit Zustimmung des Mieters untervermieten.'],
      ['negation', 'Der Mieter darf die Wohnung ohne Zustimmung des Vermieters untervermieten.'],
      ['quantifier', 'Der Mieter muss die Wohnung mit Zustimmung des Vermieters untervermieten.'],
    ],
  },
  {
    language: 'de',
    quote: 'Der Umsatz der Sparte Medizintechnik ging im dritten Quartal um 7 Prozent auf 84 Millionen Euro zurück.',
    sentences: [
      ['paraphrase', 'Im 3. Quartal sank der Umsatz der Sparte Medizintechnik um 7 % auf 84 Mio. Euro.'],
      [
        'direction',
        'Der Umsatz der Sparte Medizintechnik stieg im dritten Quartal um 7 Prozent auf 84 Millionen Euro.',
      ],
      ['number', 'Der Umsatz der Sparte Medizintechnik ging im zweiten Quartal um 7 Prozent zurück.'],
      ['unit', 'Der Umsatz der Sparte Medizintechnik ging auf 84 Milliarden Euro zurück.'],
    ],
  },
  {
    language: 'de',
    quote: 'Clara Vogt übergab den Vorsitz des Vereins im November 2019 an Thomas Reuter.',
    sentences: [
      ['paraphrase', 'Im November 2019 übergab Clara Vogt den Vorsitz des Vereins an Thomas Reuter.'],
      ['roles', 'Thomas Reuter übergab den Vorsitz des Vereins im November 2019 an Clara Vogt.'],
      ['name', 'Clara Vogt übergab den Vorsitz des Vereins im November 2019 an Martin Reuter.'],
      ['date', 'Clara Vogt übergab den Vorsitz des Vereins im November 2018 an Thomas Reuter.'],
    ],
  },
  {
    language: 'de',
    quote: 'Das Medikament wird vor dem Essen eingenommen und darf nicht mit Alkohol kombiniert werden.',
    sentences: [
      ['paraphrase', 'Das Medikament darf nicht mit Alkohol kombiniert werden.'],
      ['paraphrase', 'Vor dem Essen wird das Medikament eingenommen.'],
      ['direction', 'Das Medikament wird nach dem Essen eingenommen.'],
      ['negation', 'Das Medikament darf mit Alkohol kombiniert werden.'],
    ],
  },
  {
    language: 'de',
    quote: 'Alle Schulen des Landkreises erhielten 2021 kostenlos schnelles Internet.',
    sentences: [
      ['paraphrase', '2021 bekamen alle Schulen des Landkreises kostenlos schnelles Internet.'],
      ['quantifier', 'Einige Schulen des Landkreises erhielten 2021 kostenlos schnelles Internet.'],
      ['negation', 'Alle Schulen des Landkreises erhielten 2021 kein schnelles Internet.'],
      ['word', 'Alle Krankenhäuser des Landkreises erhielten 2021 kostenlos schnelles Internet.'],
    ],
  },
  {
    language: 'de',
    quote: 'Der Verband warf dem Ministerium vor, die Studie verspätet veröffentlicht zu haben.',
    sentences: [
      ['paraphrase', 'Der Verband warf dem Ministerium eine verspätete Veröffentlichung der Studie vor.'],
      ['roles', 'Das Ministerium warf dem Verband vor, die Studie verspätet veröffentlicht zu haben.'],
      ['negation', 'Der Verband warf dem Ministerium nicht vor, die Studie verspätet veröffentlicht zu haben.'],
      ['word', 'Der Verband warf dem Ministerium vor, die Studie verspätet bezahlt zu haben.'],
    ],
  },
  {
    language: 'de',
    quote: 'Weniger als 20 Prozent der Befragten nutzen das Angebot täglich, die Hälfte nutzt es nie.',
    sentences: [
      ['paraphrase', 'Unter 20 % der Befragten nutzen das Angebot täglich.'],
      ['direction', 'Mehr als 20 Prozent der Befragten nutzen das Angebot täglich.'],
      ['negation', 'Die Hälfte der Befragten nutzt das Angebot.'],
      ['number', 'Weniger als 30 Prozent der Befragten nutzen das Angebot täglich.'],
    ],
  },
  {
    language: 'de',
    quote: 'Die Behörde bewilligte den Antrag der Firma Lindner am 4. April 2022.',
    sentences: [
      ['paraphrase', 'Am 4.4.2022 wurde der Antrag der Firma Lindner von der Behörde bewilligt.'],
      ['paraphrase', 'Die Behörde genehmigte den Antrag der Firma Lindner.'],
      ['word', 'Die Behörde lehnte den Antrag der Firma Lindner am 4. April 2022 ab.'],
      ['name', 'Die Behörde bewilligte den Antrag der Firma Lehmann am 4. April 2022.'],
    ],
  },
  {
    language: 'de',
    quote: 'Der Stausee fasst 202 Millionen Kubikmeter Wasser und ist damit größer als der Möhnesee.',
    sentences: [
      ['paraphrase', 'Der Stausee fasst 202 Millionen m³ Wasser.'],
      ['paraphrase', 'Der Stausee ist größer als der Möhnesee.'],
      ['roles', 'Der Möhnesee ist größer als der Stausee.'],
      ['direction', 'Der Stausee ist kleiner als der Möhnesee.'],
    ],
  },
  {
    language: 'de',
    quote: 'Kunden können den Vertrag jederzeit kündigen, die Gebühr wird in diesem Fall anteilig erstattet.',
    sentences: [
      ['paraphrase', 'Der Vertrag kann von Kunden jederzeit gekündigt werden.'],
      ['paraphrase', 'Bei einer Kündigung wird die Gebühr anteilig erstattet.'],
      ['negation', 'Kunden können den Vertrag nicht jederzeit kündigen.'],
      ['quantifier', 'Die Gebühr wird in diesem Fall ganz erstattet.'],
    ],
  },
  {
    language: 'en',
    quote: 'Lake Orrin freezes almost every winter, whereas Lake Tallow has never frozen since 1987.',
    sentences: [
      ['paraphrase', 'Lake Tallow has never frozen since 1987.'],
      ['roles', 'Lake Tallow freezes almost every winter.'],
      ['negation', 'Lake Orrin has never frozen since 1987.'],
      ['quantifier', 'Lake Orrin freezes in some winters.'],
    ],
  },
];
