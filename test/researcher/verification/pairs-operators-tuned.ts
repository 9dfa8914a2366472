import type { LabelledQuote } from './pair-kind.js';

/** False sentences about what is denied, intended, or holds on a condition, with which the rules for them were made. */
export const OPERATORS_TUNED: readonly LabelledQuote[] = [
  {
    language: 'en',
    quote: 'Smith claims that the reactor is safe for the residents.',
    sentences: [['context', 'The reactor is safe for the residents.']],
  },
  {
    language: 'en',
    quote: 'Critics falsely believe that the new reactor emits radiation.',
    sentences: [['context', 'The new reactor emits radiation.']],
  },
  {
    language: 'en',
    quote: 'The minister denied that the company paid bribes to officials.',
    sentences: [['context', 'The company paid bribes to officials.']],
  },
  {
    language: 'en',
    quote: 'It is a myth that the vaccine causes autism in children.',
    sentences: [['context', 'The vaccine causes autism in children.']],
  },
  {
    language: 'en',
    quote: 'There is little evidence that the vaccine causes autism in children.',
    sentences: [['context', 'The vaccine causes autism in children.']],
  },
  {
    language: 'en',
    quote: 'Doctors doubt that the vaccine causes autism in children.',
    sentences: [['context', 'The vaccine causes autism in children.']],
  },
  {
    language: 'en',
    quote: 'The rumour that the vaccine causes autism in children spread quickly.',
    sentences: [['context', 'The vaccine causes autism in children.']],
  },
  {
    language: 'en',
    quote: 'Had the company paid bribes to officials, it would have won the contract.',
    sentences: [['context', 'The company paid bribes to officials.']],
  },
  {
    language: 'en',
    quote: 'The company was accused of having paid bribes to officials.',
    sentences: [['context', 'The company paid bribes to officials.']],
  },
  {
    language: 'en',
    quote: 'Researchers refuted the theory that the vaccine causes autism in children.',
    sentences: [['context', 'The vaccine causes autism in children.']],
  },
  {
    language: 'en',
    quote: 'The company failed to pay taxes to the state in 2020.',
    sentences: [['context', 'The company paid taxes to the state in 2020.']],
  },
  {
    language: 'en',
    quote: 'The company avoided paying taxes to the state in 2020.',
    sentences: [['context', 'The company paid taxes to the state in 2020.']],
  },
  {
    language: 'en',
    quote: 'The company refused to repair the bridge in the town.',
    sentences: [['context', 'The company repaired the bridge in the town.']],
  },
  {
    language: 'en',
    quote: 'The company stopped repairing the bridge in the town.',
    sentences: [['context', 'The company repairs the bridge in the town.']],
  },
  {
    language: 'en',
    quote: 'The company lacks permission to repair the bridge in the town.',
    sentences: [['context', 'The company has permission to repair the bridge in the town.']],
  },
  {
    language: 'en',
    quote: 'The absence of mercury in the vaccine was proven by chemists.',
    sentences: [['context', 'Mercury in the vaccine was proven by chemists.']],
  },
  {
    language: 'en',
    quote: 'Hardly any patients recovered from the disease after the treatment.',
    sentences: [['context', 'Patients recovered from the disease after the treatment.']],
  },
  {
    language: 'en',
    quote: 'The committee rejected the plan to close the factory in Leeds.',
    sentences: [['context', 'The committee planned to close the factory in Leeds.']],
  },
  {
    language: 'de',
    quote: 'Der Minister bestritt, dass die Firma Beamte bestochen hat.',
    sentences: [['context', 'Die Firma hat Beamte bestochen.']],
  },
  {
    language: 'de',
    quote: 'Es ist ein Gerücht, dass die Impfung bei Kindern Autismus auslöst.',
    sentences: [['context', 'Die Impfung löst bei Kindern Autismus aus.']],
  },
  {
    language: 'de',
    quote: 'Die Firma vermied es, in Deutschland Steuern zu zahlen.',
    sentences: [['context', 'Die Firma zahlte in Deutschland Steuern.']],
  },
  {
    language: 'de',
    quote: 'Die Firma weigerte sich, die Brücke in Köln zu reparieren.',
    sentences: [['context', 'Die Firma reparierte die Brücke in Köln.']],
  },
  {
    language: 'de',
    quote: 'Die Firma unterließ es, die Brücke in Köln zu reparieren.',
    sentences: [['context', 'Die Firma reparierte die Brücke in Köln.']],
  },
  {
    language: 'en',
    quote: 'If the patient is older than 65, the drug is free of charge.',
    sentences: [['context', 'The drug is free of charge.']],
  },
  {
    language: 'en',
    quote: 'The drug is free of charge if the patient is older than 65.',
    sentences: [['context', 'The drug is free of charge.']],
  },
  {
    language: 'en',
    quote: 'The drug is free of charge provided the patient is older than 65.',
    sentences: [['context', 'The drug is free of charge.']],
  },
  {
    language: 'en',
    quote: 'The drug is free of charge unless the patient is insured.',
    sentences: [['context', 'The drug is free of charge.']],
  },
  {
    language: 'en',
    quote: 'Except in emergencies the drug is free of charge for patients.',
    sentences: [['context', 'The drug is free of charge for patients.']],
  },
  {
    language: 'en',
    quote: 'In mice, the drug cures cancer of the liver.',
    sentences: [['context', 'The drug cures cancer of the liver.']],
  },
  {
    language: 'de',
    quote: 'Sofern der Patient versichert ist, ist das Medikament kostenlos erhältlich.',
    sentences: [['context', 'Das Medikament ist kostenlos erhältlich.']],
  },
  {
    language: 'de',
    quote: 'Ist der Patient versichert, ist das Medikament kostenlos erhältlich.',
    sentences: [['context', 'Das Medikament ist kostenlos erhältlich.']],
  },
  {
    language: 'en',
    quote: 'The company wants to close the factory in Leeds.',
    sentences: [['context', 'The company closes the factory in Leeds.']],
  },
  {
    language: 'en',
    quote: 'The company threatened to close the factory in Leeds.',
    sentences: [['context', 'The company closed the factory in Leeds.']],
  },
  {
    language: 'en',
    quote: 'The company considered closing the factory in Leeds.',
    sentences: [['context', 'The company closed the factory in Leeds.']],
  },
  {
    language: 'en',
    quote: 'The company promised to close the factory in Leeds.',
    sentences: [['context', 'The company closed the factory in Leeds.']],
  },
  {
    language: 'en',
    quote: 'The company tried to close the factory in Leeds.',
    sentences: [['context', 'The company closed the factory in Leeds.']],
  },
  {
    language: 'en',
    quote: 'The union demanded that the company close the factory in Leeds.',
    sentences: [['context', 'The company closed the factory in Leeds.']],
  },
  {
    language: 'en',
    quote: 'The company nearly closed the factory in Leeds.',
    sentences: [['context', 'The company closed the factory in Leeds.']],
  },
  {
    language: 'de',
    quote: 'Die Firma droht damit, die Fabrik in Köln zu schließen.',
    sentences: [['context', 'Die Firma schließt die Fabrik in Köln.']],
  },
  {
    language: 'de',
    quote: 'Die Firma versprach, die Fabrik in Köln zu schließen.',
    sentences: [['context', 'Die Firma schloss die Fabrik in Köln.']],
  },
  {
    language: 'de',
    quote: 'Die Firma hätte die Fabrik in Köln geschlossen.',
    sentences: [['context', 'Die Firma hat die Fabrik in Köln geschlossen.']],
  },
  {
    language: 'en',
    quote: 'Does coffee cause cancer of the liver\n\nNo study has found that.',
    sentences: [['context', 'Coffee causes cancer of the liver.']],
  },
  {
    language: 'en',
    quote: 'Why coffee causes cancer is a question nobody asks.',
    sentences: [['context', 'Coffee causes cancer.']],
  },
  {
    language: 'en',
    quote: 'Nobody can say that coffee causes cancer of the liver.',
    sentences: [['context', 'Coffee causes cancer of the liver.']],
  },
  {
    language: 'en',
    quote: 'The drug is non-approved for children in Norway.',
    sentences: [['negation', 'The drug is approved for children in Norway.']],
  },
  {
    language: 'en',
    quote: 'The drug is yet to be approved for children in Norway.',
    sentences: [['negation', 'The drug is approved for children in Norway.']],
  },
  {
    language: 'en',
    quote: 'The drug is no longer approved for children in Norway.',
    sentences: [['negation', 'The drug is approved for children in Norway.']],
  },
  {
    language: 'en',
    quote: 'The drug was formerly approved for children in Norway.',
    sentences: [['negation', 'The drug is approved for children in Norway.']],
  },
  {
    language: 'en',
    quote: 'It is not true that the drug is not approved in Norway.',
    sentences: [['negation', 'The drug is not approved in Norway.']],
  },
  {
    language: 'de',
    quote: 'Es stimmt nicht, dass das Medikament in Norwegen nicht zugelassen ist.',
    sentences: [['negation', 'Das Medikament ist in Norwegen nicht zugelassen.']],
  },
  {
    language: 'en',
    quote: 'Nobody denies that the drug is not approved in Norway.',
    sentences: [['negation', 'Nobody denies that the drug is approved in Norway.']],
  },
];
