import type { LabelledQuote } from './pair-kind.js';

/** Sentences about what is said in a frame, written before the rules of frames were, and not looked at while they were made. */
export const FRAMES_HELD_OUT: readonly LabelledQuote[] = [
  {
    language: 'en',
    quote: 'When the tank is empty, the pump stops after five minutes.',
    sentences: [
      ['context', 'The pump stops after five minutes.'],
      ['paraphrase', 'The pump stops five minutes after the tank is empty.'],
    ],
  },
  {
    language: 'en',
    quote: 'Without a reservation, groups pay an extra 30 euros.',
    sentences: [
      ['context', 'Groups pay an extra 30 euros.'],
      ['paraphrase', 'Groups without a reservation pay an additional 30 euros.'],
    ],
  },
  {
    language: 'en',
    quote: 'According to the union, the plant dismissed 400 workers in June.',
    sentences: [
      ['context', 'The plant dismissed 400 workers in June.'],
      ['paraphrase', 'According to the union, 400 workers were dismissed by the plant in June.'],
    ],
  },
  {
    language: 'en',
    quote: 'The plant poisoned the river for ten years, campaigners say.',
    sentences: [['context', 'The plant poisoned the river for ten years.']],
  },
  {
    language: 'en',
    quote: 'In the film, the mayor of Boston is kidnapped by the mafia.',
    sentences: [['context', 'The mayor of Boston is kidnapped by the mafia.']],
  },
  {
    language: 'en',
    quote: 'Imagine a factory in Leeds makes 900 cars a day.',
    sentences: [['context', 'A factory in Leeds makes 900 cars a day.']],
  },
  {
    language: 'en',
    quote: 'The town chose solar panels instead of wind turbines in 2016.',
    sentences: [
      ['context', 'The town chose wind turbines in 2016.'],
      ['paraphrase', 'In 2016 the town chose solar panels.'],
    ],
  },
  {
    language: 'en',
    quote: 'The old server is too slow to run the database.',
    sentences: [['context', 'The old server can run the database.']],
  },
  {
    language: 'en',
    quote: 'Prague was the capital of Czechoslovakia.',
    sentences: [
      ['context', 'Prague is the capital of Czechoslovakia.'],
      ['paraphrase', 'The capital of Czechoslovakia was Prague.'],
    ],
  },
  {
    language: 'en',
    quote: 'The company will close its mill in Halifax by 2031.',
    sentences: [
      ['context', 'The company has closed its mill in Halifax.'],
      ['paraphrase', 'By 2031 the company will close its mill in Halifax.'],
    ],
  },
  {
    language: 'en',
    quote: 'Jones was charged with stealing paintings from the museum in Oslo.',
    sentences: [['context', 'Jones stole paintings from the museum in Oslo.']],
  },
  {
    language: 'en',
    quote: 'Exports grew after the tariff was lifted.',
    sentences: [
      ['context', 'Exports grew because the tariff was lifted.'],
      ['paraphrase', 'After the tariff was lifted, exports grew.'],
    ],
  },
  {
    language: 'en',
    quote: 'Admission is free on Mondays for students.',
    sentences: [
      ['context', 'Admission is free for students.'],
      ['paraphrase', 'On Mondays students have free admission.'],
    ],
  },
  {
    language: 'en',
    quote: 'A lawyer for Nestle was fined 2,000 francs in Geneva.',
    sentences: [['roles', 'Nestle was fined 2,000 francs in Geneva.']],
  },
  {
    language: 'en',
    quote: 'Everyone except the goalkeeper received a medal in Rome.',
    sentences: [['context', 'The goalkeeper received a medal in Rome.']],
  },
  {
    language: 'en',
    quote: 'In 1998, the bridge between the islands was opened by the king.',
    sentences: [
      ['paraphrase', 'The bridge between the islands was opened by the king.'],
      ['paraphrase', 'The king opened the bridge between the islands in 1998.'],
    ],
  },
  {
    language: 'en',
    quote: 'As a result, the library extended its opening hours to 60 a week.',
    sentences: [['paraphrase', 'The library extended its opening hours to 60 a week.']],
  },
  {
    language: 'en',
    quote: 'However, the museum in Porto has been closed since 2019.',
    sentences: [['paraphrase', 'The museum in Porto has been closed since 2019.']],
  },
  {
    language: 'en',
    quote: 'The station, which opened in 1902, has 14 platforms.',
    sentences: [
      ['paraphrase', 'The station has 14 platforms.'],
      ['paraphrase', 'The station was opened in 1902.'],
    ],
  },
  {
    language: 'en',
    quote: 'The tower was built in 1887 and is 93 metres high.',
    sentences: [
      ['paraphrase', 'The tower is 93 metres high.'],
      ['paraphrase', 'The tower was built in 1887.'],
    ],
  },
  {
    language: 'de',
    quote: 'Sobald der Tank leer ist, stoppt die Pumpe nach fünf Minuten.',
    sentences: [
      ['context', 'Die Pumpe stoppt nach fünf Minuten.'],
      ['paraphrase', 'Die Pumpe stoppt fünf Minuten, nachdem der Tank leer ist.'],
    ],
  },
  {
    language: 'de',
    quote: 'Laut Gewerkschaft entließ das Werk im Juni 400 Arbeiter.',
    sentences: [
      ['context', 'Das Werk entließ im Juni 400 Arbeiter.'],
      ['paraphrase', 'Laut Gewerkschaft hat das Werk im Juni 400 Arbeiter entlassen.'],
    ],
  },
  {
    language: 'de',
    quote: 'Das Werk habe zehn Jahre lang den Fluss vergiftet.',
    sentences: [['context', 'Das Werk hat zehn Jahre lang den Fluss vergiftet.']],
  },
  {
    language: 'de',
    quote: 'Ohne Anmeldung zahlen Gruppen 30 Euro mehr.',
    sentences: [['context', 'Gruppen zahlen 30 Euro mehr.']],
  },
  {
    language: 'de',
    quote: 'Der Verein wählte 2016 Solarzellen statt Windrädern.',
    sentences: [
      ['context', 'Der Verein wählte 2016 Windräder.'],
      ['paraphrase', '2016 wählte der Verein Solarzellen.'],
    ],
  },
  {
    language: 'de',
    quote: 'Prag war die Hauptstadt der Tschechoslowakei.',
    sentences: [
      ['context', 'Prag ist die Hauptstadt der Tschechoslowakei.'],
      ['paraphrase', 'Die Hauptstadt der Tschechoslowakei war Prag.'],
    ],
  },
  {
    language: 'de',
    quote: 'Im Jahr 1998 eröffnete der König die Brücke zwischen den Inseln.',
    sentences: [['paraphrase', 'Der König eröffnete die Brücke zwischen den Inseln.']],
  },
  {
    language: 'de',
    quote: 'Montags ist der Eintritt für Studenten frei.',
    sentences: [['context', 'Der Eintritt ist für Studenten frei.']],
  },
];
