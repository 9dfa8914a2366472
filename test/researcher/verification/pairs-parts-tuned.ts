import type { LabelledQuote } from './pair-kind.js';

/** False sentences about parts, units, and who is meant, with which the rules for them were made. */
export const PARTS_TUNED: readonly LabelledQuote[] = [
  {
    language: 'en',
    quote: 'Last year the prices of the houses rose by 5 %.',
    sentences: [['unit', 'Last year the prices of the houses rose by 5.']],
  },
  {
    language: 'en',
    quote: 'The ticket to the museum in Berlin costs 5 €.',
    sentences: [['unit', 'The ticket to the museum in Berlin costs 5.']],
  },
  {
    language: 'de',
    quote: 'Der Vorstand lehnte den Vertrag mit der Stadt Köln ab.',
    sentences: [['direction', 'Der Vorstand nahm den Vertrag mit der Stadt Köln an.']],
  },
  {
    language: 'de',
    quote: 'Das Gericht setzte die Strafe gegen den Händler aus.',
    sentences: [['direction', 'Das Gericht setzte die Strafe gegen den Händler fest.']],
  },
  {
    language: 'de',
    quote: 'Der Staat hob das Verbot der Partei auf.',
    sentences: [['direction', 'Der Staat hob das Verbot der Partei hervor.']],
  },
  {
    language: 'en',
    quote: 'The court in Oslo found the former director of the bank guilty of fraud in the year 2019.',
    sentences: [
      ['word', 'The court in Oslo found the former director of the bank innocent of fraud in the year 2019.'],
    ],
  },
  {
    language: 'en',
    quote: 'The study in Sweden with many patients showed that the new drug prevents strokes of the brain.',
    sentences: [
      ['word', 'The study in Sweden with many patients showed that the new drug triggers strokes of the brain.'],
    ],
  },
  {
    language: 'en',
    quote: 'The company in Berlin said its new engine uses hydrogen from wind power for trucks.',
    sentences: [['word', 'The company in Berlin said its new engine uses hydrogen from nuclear power for trucks.']],
  },
  {
    language: 'en',
    quote: 'The fund lost half of its 3 billion dollars in Asia.',
    sentences: [['number', 'The fund lost 3 billion dollars in Asia.']],
  },
  {
    language: 'en',
    quote: 'One in 100 patients of the hospital died of the infection.',
    sentences: [['number', '100 patients of the hospital died of the infection.']],
  },
  {
    language: 'en',
    quote: 'Ten of the 300 patients of the hospital died of the infection.',
    sentences: [['number', '300 patients of the hospital died of the infection.']],
  },
  {
    language: 'en',
    quote: 'The price fell by 30 dollars in May.',
    sentences: [['number', 'The price fell to 30 dollars in May.']],
  },
  {
    language: 'en',
    quote: 'The price rose from 30 dollars to 50 dollars in May.',
    sentences: [['number', 'The price rose from 50 dollars to 30 dollars in May.']],
  },
  {
    language: 'en',
    quote: 'The company has 3 thousand workers in Spain.',
    sentences: [['number', 'The company has 3 workers in Spain.']],
  },
  {
    language: 'en',
    quote: 'Nine out of ten dentists in Spain recommend the brush.',
    sentences: [['number', 'Ten dentists in Spain recommend the brush.']],
  },
  {
    language: 'en',
    quote: 'A third of the patients in Spain recovered quickly.',
    sentences: [['number', 'The patients in Spain recovered quickly.']],
  },
  {
    language: 'en',
    quote: 'Not all patients in the study recovered from the disease.',
    sentences: [['quantifier', 'All patients in the study recovered from the disease.']],
  },
  {
    language: 'en',
    quote: 'Patients in the study rarely recovered from the disease.',
    sentences: [['quantifier', 'Patients in the study recovered from the disease.']],
  },
  {
    language: 'en',
    quote: 'Barely half of the voters in the city backed the mayor.',
    sentences: [['quantifier', 'The voters in the city backed the mayor.']],
  },
  {
    language: 'en',
    quote: 'Berlin has more inhabitants than Hamburg.',
    sentences: [['roles', 'Hamburg has more inhabitants than Berlin.']],
  },
  {
    language: 'en',
    quote: 'Compared with Hamburg, Berlin has more inhabitants.',
    sentences: [['roles', 'Compared with Berlin, Hamburg has more inhabitants.']],
  },
  {
    language: 'en',
    quote: 'Iron is heavier than aluminium but lighter than lead.',
    sentences: [['roles', 'Iron is heavier than lead but lighter than aluminium.']],
  },
  {
    language: 'en',
    quote: 'The second largest bank of Spain is in Bilbao.',
    sentences: [['roles', 'The largest bank of Spain is in Bilbao.']],
  },
  {
    language: 'en',
    quote: 'Anna Berg, whom Carl Holm sued in Oslo, won the trial.',
    sentences: [['roles', 'Anna Berg sued Carl Holm in Oslo.']],
  },
  {
    language: 'en',
    quote: 'The dog of the neighbour bit the postman in Leeds.',
    sentences: [['roles', 'The neighbour bit the postman in Leeds.']],
  },
  {
    language: 'en',
    quote: 'The widow of Carl Holm married the king of Norway.',
    sentences: [['roles', 'Carl Holm married the king of Norway.']],
  },
  {
    language: 'en',
    quote: 'The lawyer of the bank was convicted of fraud in Oslo.',
    sentences: [['roles', 'The bank was convicted of fraud in Oslo.']],
  },
  {
    language: 'en',
    quote: 'The rival of Siemens was convicted of bribery in Oslo.',
    sentences: [['roles', 'Siemens was convicted of bribery in Oslo.']],
  },
  {
    language: 'de',
    quote: 'Der Anwalt der Bank wurde in Oslo wegen Betrugs verurteilt.',
    sentences: [['roles', 'Die Bank wurde in Oslo wegen Betrugs verurteilt.']],
  },
  {
    language: 'en',
    quote: "Siemens' competitor was convicted of bribery in Oslo.",
    sentences: [['roles', 'Siemens was convicted of bribery in Oslo.']],
  },
  {
    language: 'en',
    quote: 'Anna Berg met Carl Holm in Oslo. He was convicted of fraud.',
    sentences: [['roles', 'Anna Berg was convicted of fraud.']],
  },
  {
    language: 'en',
    quote: 'Siemens sued Bosch in Oslo. It was convicted of bribery.',
    sentences: [['roles', 'Siemens was convicted of bribery.']],
  },
  {
    language: 'en',
    quote: 'The bridge was closed until May 2021 for repairs of the pillars.',
    sentences: [['date', 'The bridge was closed in May 2021 for repairs of the pillars.']],
  },
  {
    language: 'en',
    quote: 'Since 2015 the bridge has been closed to trucks.',
    sentences: [['date', 'The bridge was closed to trucks until 2015.']],
  },
  {
    language: 'en',
    quote: '| Country | Capital |\n| Spain | Madrid |\n| Norway | Oslo |',
    sentences: [['roles', 'The capital of Spain is Oslo.']],
  },
];
