import type { LabelledQuote } from './pair-kind.js';

/** Sentences of the same kinds, true ones too, that were written when the rules for them stood, and changed none. */
export const OPERATORS_HELD_OUT: readonly LabelledQuote[] = [
  {
    language: 'en',
    quote: 'The airline denied that the crew had ignored the warning at Larsen Field.',
    sentences: [
      ['context', 'The crew had ignored the warning at Larsen Field.'],
      ['paraphrase', 'The airline denied that the crew had ignored the warning.'],
    ],
  },
  {
    language: 'en',
    quote: 'Prosecutors accuse the mayor of selling public land to his brother.',
    sentences: [
      ['context', 'The mayor sold public land to his brother.'],
      ['paraphrase', 'The mayor is accused of selling public land to his brother by prosecutors.'],
    ],
  },
  {
    language: 'en',
    quote: 'The theory that garlic cures malaria was debunked by a team in Lima.',
    sentences: [['context', 'Garlic cures malaria.']],
  },
  {
    language: 'en',
    quote: 'The hotel refused to refund the deposit of the guests.',
    sentences: [
      ['context', 'The hotel refunded the deposit of the guests.'],
      ['paraphrase', 'The hotel refused to refund the deposit.'],
    ],
  },
  {
    language: 'en',
    quote: 'Nordbank considered moving its headquarters to Dublin in 2018.',
    sentences: [['context', 'Nordbank moved its headquarters to Dublin in 2018.']],
  },
  {
    language: 'en',
    quote: 'The council agreed to widen the northern road in 2024.',
    sentences: [
      ['context', 'The council widened the northern road in 2024.'],
      ['paraphrase', 'In 2024 the council agreed to widen the northern road.'],
    ],
  },
  {
    language: 'en',
    quote: 'The mine would have polluted the river Tarn.',
    sentences: [['context', 'The mine polluted the river Tarn.']],
  },
  {
    language: 'en',
    quote: 'Pets may travel in the cabin only when they weigh under 8 kg.',
    sentences: [
      ['context', 'Pets travel in the cabin.'],
      ['paraphrase', 'Only when they weigh under 8 kg may pets travel in the cabin.'],
    ],
  },
  {
    language: 'en',
    quote: 'The warranty covers the battery as long as the seal is intact.',
    sentences: [
      ['context', 'The warranty covers the battery.'],
      ['paraphrase', 'As long as the seal is intact, the battery is covered by the warranty.'],
    ],
  },
  {
    language: 'en',
    quote: 'In rats, the compound lowered the blood pressure by 12 %.',
    sentences: [
      ['context', 'The compound lowered the blood pressure by 12 %.'],
      ['paraphrase', 'The compound lowered the blood pressure of rats by 12 %.'],
    ],
  },
  {
    language: 'en',
    quote: 'Three out of five farmers in Meru use the app.',
    sentences: [
      ['number', 'Five farmers in Meru use the app.'],
      ['paraphrase', 'In Meru, three out of five farmers use the app.'],
    ],
  },
  {
    language: 'en',
    quote: 'A quarter of the houses in Brenn have solar panels.',
    sentences: [
      ['number', 'The houses in Brenn have solar panels.'],
      ['paraphrase', 'In Brenn, a quarter of the houses have solar panels.'],
    ],
  },
  {
    language: 'en',
    quote: 'The third longest tunnel of Norway is near Odda.',
    sentences: [['number', 'The longest tunnel of Norway is near Odda.']],
  },
  {
    language: 'en',
    quote: 'The brother of Clara Voss was arrested in Turin.',
    sentences: [
      ['roles', 'Clara Voss was arrested in Turin.'],
      ['paraphrase', "Clara Voss's brother was arrested in Turin."],
    ],
  },
  {
    language: 'en',
    quote: "Halden's main supplier filed for bankruptcy in March.",
    sentences: [
      ['roles', 'Halden filed for bankruptcy in March.'],
      ['paraphrase', 'The main supplier of Halden filed for bankruptcy in March.'],
    ],
  },
  {
    language: 'en',
    quote: 'The rents in the old town rose by 14 % within two years.',
    sentences: [
      ['unit', 'The rents in the old town rose by 14 within two years.'],
      ['paraphrase', 'Within two years, rents in the old town rose by 14 percent.'],
    ],
  },
  {
    language: 'en',
    quote: 'The bridge was formerly the longest in Europe.',
    sentences: [
      ['context', 'The bridge is the longest in Europe.'],
      ['paraphrase', 'Formerly, the bridge was the longest in Europe.'],
    ],
  },
  {
    language: 'en',
    quote: 'The sensor has yet to be tested in salt water.',
    sentences: [['context', 'The sensor was tested in salt water.']],
  },
  {
    language: 'en',
    quote: 'It is not the case that the ferry does not run on Sundays.',
    sentences: [['negation', 'The ferry does not run on Sundays.']],
  },
  {
    language: 'en',
    quote: 'Astronomers hope the telescope detects water on the planet.',
    sentences: [['context', 'The telescope detects water on the planet.']],
  },
  {
    language: 'en',
    quote: 'A study showed that the coating reduces corrosion by 30 %.',
    sentences: [
      ['paraphrase', 'The coating reduces corrosion by 30 percent.'],
      ['paraphrase', 'According to a study, the coating reduces corrosion by 30 %.'],
      ['direction', 'A study showed that the coating increases corrosion by 30 %.'],
    ],
  },
  {
    language: 'en',
    quote: 'The museum began to charge admission in 2011 and reopened its garden.',
    sentences: [
      ['paraphrase', 'In 2011 the museum began to charge admission.'],
      ['paraphrase', 'The museum reopened its garden.'],
    ],
  },
  {
    language: 'en',
    quote: 'The law, which was passed to protect bees, bans three pesticides.',
    sentences: [
      ['paraphrase', 'The law bans three pesticides.'],
      ['number', 'The law bans five pesticides.'],
    ],
  },
  {
    language: 'en',
    quote: 'Employees who want to work abroad need a permit from the ministry.',
    sentences: [
      ['context', 'Employees work abroad.'],
      ['paraphrase', 'Employees who want to work abroad require a permit from the ministry.'],
    ],
  },
  {
    language: 'en',
    quote: 'The factory in Gera employs 300 people and produces glass for cars.',
    sentences: [
      ['paraphrase', 'The factory in Gera produces glass for cars.'],
      ['paraphrase', '300 people are employed by the factory in Gera.'],
    ],
  },
  {
    language: 'de',
    quote: 'Der Händler bestreitet, dass die Ware aus Indien stammt.',
    sentences: [
      ['context', 'Die Ware stammt aus Indien.'],
      ['paraphrase', 'Dass die Ware aus Indien stammt, bestreitet der Händler.'],
    ],
  },
  {
    language: 'de',
    quote: 'Die Gewerkschaft drohte, den Hafen in Rostock zu bestreiken.',
    sentences: [
      ['context', 'Die Gewerkschaft bestreikte den Hafen in Rostock.'],
      ['paraphrase', 'Den Hafen in Rostock zu bestreiken, drohte die Gewerkschaft.'],
    ],
  },
  {
    language: 'de',
    quote: 'Der Verein versäumte es, die Steuererklärung für 2019 einzureichen.',
    sentences: [['context', 'Der Verein reichte die Steuererklärung für 2019 ein.']],
  },
  {
    language: 'de',
    quote: 'Liegt ein Attest vor, werden die Kosten der Behandlung erstattet.',
    sentences: [
      ['context', 'Die Kosten der Behandlung werden erstattet.'],
      ['paraphrase', 'Die Kosten der Behandlung werden erstattet, wenn ein Attest vorliegt.'],
    ],
  },
  {
    language: 'de',
    quote: 'Der Eintritt ist für Kinder kostenlos, es sei denn, es findet ein Konzert statt.',
    sentences: [['context', 'Der Eintritt ist für Kinder kostenlos.']],
  },
  {
    language: 'de',
    quote: 'Die Tochter des Bürgermeisters wurde in Graz verhaftet.',
    sentences: [
      ['roles', 'Der Bürgermeister wurde in Graz verhaftet.'],
      ['paraphrase', 'In Graz wurde die Tochter des Bürgermeisters verhaftet.'],
    ],
  },
  {
    language: 'de',
    quote: 'Die Hälfte der Schulen in Bremen hat schnelles Internet.',
    sentences: [
      ['number', 'Die Schulen in Bremen haben schnelles Internet.'],
      ['paraphrase', 'In Bremen hat die Hälfte der Schulen schnelles Internet.'],
    ],
  },
  {
    language: 'de',
    quote: 'Der zweithöchste Berg des Landes liegt bei Imst.',
    sentences: [['number', 'Der höchste Berg des Landes liegt bei Imst.']],
  },
  {
    language: 'de',
    quote: 'Der ehemalige Direktor der Klinik lebt heute in Wien.',
    sentences: [
      ['context', 'Der Direktor der Klinik lebt heute in Wien.'],
      ['paraphrase', 'Heute lebt der ehemalige Direktor der Klinik in Wien.'],
    ],
  },
  {
    language: 'de',
    quote: 'Die Regierung beschloss, das Kraftwerk bei Lingen zu schließen.',
    sentences: [
      ['context', 'Die Regierung schloss das Kraftwerk bei Lingen.'],
      ['paraphrase', 'Das Kraftwerk bei Lingen zu schließen, beschloss die Regierung.'],
    ],
  },
  {
    language: 'de',
    quote: 'Forscher der Universität Kiel zeigten, dass der Hering im Fjord laicht.',
    sentences: [
      ['paraphrase', 'Der Hering laicht im Fjord.'],
      ['paraphrase', 'Dass der Hering im Fjord laicht, zeigten Forscher der Universität Kiel.'],
      ['name', 'Forscher der Universität Bonn zeigten, dass der Hering im Fjord laicht.'],
    ],
  },
  {
    language: 'de',
    quote: 'Das Museum hätte das Gemälde an die Erben zurückgegeben.',
    sentences: [['context', 'Das Museum gab das Gemälde an die Erben zurück.']],
  },
];
