import type { LabelledQuote } from './pair-kind.js';

/** The half on which the rules were tuned. */
export const TUNED: readonly LabelledQuote[] = [
  {
    language: 'en',
    quote: 'In 2014, Corvex acquired the Norwegian shipping company Halden Marine for $48.3 million.',
    sentences: [
      ['paraphrase', 'Halden Marine was acquired by Corvex in 2014 for 48.3 million dollars.'],
      ['paraphrase', 'Corvex bought the Norwegian shipping company Halden Marine in 2014.'],
      ['roles', 'In 2014, Halden Marine acquired the shipping company Corvex for $48.3 million.'],
      ['date', 'Corvex acquired Halden Marine in 2015.'],
    ],
  },
  {
    language: 'en',
    quote: 'Some of the tested filters removed more than 90 % of the lead, but none removed arsenic.',
    sentences: [
      ['paraphrase', 'Some tested filters removed more than 90 percent of the lead.'],
      ['quantifier', 'All tested filters removed more than 90 % of the lead.'],
      ['direction', 'Some of the tested filters removed less than 90 % of the lead.'],
      ['negation', 'Some of the tested filters removed arsenic.'],
    ],
  },
  {
    language: 'en',
    quote: 'The autovacuum daemon runs by default every minute and starts at most three worker processes.',
    sentences: [
      ['paraphrase', 'By default, the autovacuum daemon runs every minute.'],
      ['paraphrase', 'The autovacuum daemon starts up to 3 worker processes.'],
      ['unit', 'By default, the autovacuum daemon runs every hour.'],
      ['direction', 'The autovacuum daemon starts at least three worker processes.'],
    ],
  },
  {
    language: 'en',
    quote: 'Unemployment in the region fell from 8.1 % in 2019 to 6.4 % in 2022.',
    sentences: [
      ['paraphrase', 'From 2019 to 2022, unemployment in the region dropped from 8.1 % to 6.4 %.'],
      ['direction', 'Unemployment in the region rose from 6.4 % to 8.1 %.'],
      ['direction', 'Unemployment in the region rose to 6.4 % in 2022.'],
      ['number', 'In 2019, unemployment in the region was 6.4 %.'],
    ],
  },
  {
    language: 'en',
    quote: 'The teacher praised the student for her essay on the French Revolution.',
    sentences: [
      ['paraphrase', 'The student was praised by the teacher for her essay on the French Revolution.'],
      ['roles', 'The student praised the teacher for her essay on the French Revolution.'],
      ['name', 'The teacher praised the student for her essay on the Russian Revolution.'],
      ['negation', 'The teacher did not praise the student for her essay on the French Revolution.'],
    ],
  },
  {
    language: 'en',
    quote: 'Visitors may take photographs in the museum, but flash and tripods are prohibited.',
    sentences: [
      ['paraphrase', 'In the museum, visitors are allowed to take photographs.'],
      ['paraphrase', 'Flash and tripods are not allowed in the museum.'],
      ['negation', 'Visitors may not take photographs in the museum.'],
      ['word', 'Visitors may take animals into the museum.'],
    ],
  },
  {
    language: 'en',
    quote: 'Marie Lindqvist founded the observatory in Uppsala in May 1931 and directed it until 1952.',
    sentences: [
      ['paraphrase', 'The observatory in Uppsala was founded by Marie Lindqvist in May 1931.'],
      ['name', 'Karin Lindqvist founded the observatory in Uppsala in May 1931.'],
      ['date', 'Marie Lindqvist founded the observatory in Uppsala in March 1931.'],
      ['date', 'Marie Lindqvist founded the observatory in Uppsala in 1952.'],
    ],
  },
  {
    language: 'en',
    quote: 'The bridge is 1,280 metres long and carries about 110,000 vehicles a day.',
    sentences: [
      ['paraphrase', 'The bridge has a length of 1280 m.'],
      ['paraphrase', 'Each day, about 110,000 vehicles use the bridge.'],
      ['unit', 'The bridge is 1,280 kilometres long.'],
      ['number', 'The bridge carries about 11,000 vehicles a day.'],
    ],
  },
  {
    language: 'en',
    quote: 'Most patients in the control group recovered within two weeks without treatment.',
    sentences: [
      ['paraphrase', 'Within two weeks, most patients in the control group recovered without treatment.'],
      ['quantifier', 'All patients in the control group recovered within two weeks without treatment.'],
      ['negation', 'Most patients in the control group recovered within two weeks with treatment.'],
      ['unit', 'Most patients in the control group recovered within two days without treatment.'],
    ],
  },
  {
    language: 'en',
    quote: 'Venus is slightly smaller than Earth and rotates in the opposite direction.',
    sentences: [
      ['paraphrase', 'Venus is a little smaller than Earth.'],
      ['roles', 'Earth is smaller than Venus.'],
      ['direction', 'Venus is slightly larger than Earth.'],
      ['name', 'Mars is slightly smaller than Earth.'],
    ],
  },
  {
    language: 'en',
    quote: 'The court rejected the appeal of Brandt Logistics and ordered the company to pay 2.4 million euros.',
    sentences: [
      ['paraphrase', 'The appeal of Brandt Logistics was rejected by the court.'],
      ['paraphrase', 'The court ordered Brandt Logistics to pay €2.4 million.'],
      ['word', 'The court accepted the appeal of Brandt Logistics.'],
      ['number', 'The court ordered the company to pay 4.2 million euros.'],
    ],
  },
  {
    language: 'en',
    quote: 'According to the ministry, the new reactor is expected to start operation before the end of 2027.',
    sentences: [
      ['paraphrase', 'The new reactor is expected to start operation before the end of 2027.'],
      ['quantifier', 'The new reactor starts operation before the end of 2027.'],
      ['direction', 'The new reactor is expected to start operation after the end of 2027.'],
      ['word', 'The new reactor is expected to stop operation before the end of 2027.'],
    ],
  },
  {
    language: 'en',
    quote: 'Only members of the council can propose amendments; citizens may comment on them online.',
    sentences: [
      ['paraphrase', 'Amendments can only be proposed by members of the council.'],
      ['paraphrase', 'Citizens may comment on the amendments online.'],
      ['roles', 'Citizens can propose amendments.'],
      ['quantifier', 'Only citizens may comment on amendments.'],
    ],
  },
  {
    language: 'de',
    quote: 'Die Stadt Kassel verkaufte das Grundstück im März 2018 für 3,2 Millionen Euro an die Wohnbau Nord GmbH.',
    sentences: [
      ['paraphrase', 'Im März 2018 wurde das Grundstück von der Stadt Kassel für 3,2 Mio. € verkauft.'],
      ['paraphrase', 'Die Wohnbau Nord GmbH kaufte das Grundstück im März 2018 von der Stadt Kassel.'],
      ['roles', 'Die Wohnbau Nord GmbH verkaufte das Grundstück im März 2018 an die Stadt Kassel.'],
      ['date', 'Die Stadt Kassel verkaufte das Grundstück im Mai 2018.'],
    ],
  },
  {
    language: 'de',
    quote: 'Der Arbeitgeber muss den Arbeitnehmer mindestens vier Wochen vor der Versetzung schriftlich informieren.',
    sentences: [
      [
        'paraphrase',
        'Vier Wochen vor der Versetzung oder früher muss der Arbeitgeber den Arbeitnehmer schriftlich informieren.',
      ],
      ['roles', 'Der Arbeitnehmer muss den Arbeitgeber mindestens vier Wochen vor der Versetzung informieren.'],
      ['direction', 'Der Arbeitgeber muss den Arbeitnehmer höchstens vier Wochen vor der Versetzung informieren.'],
      ['direction', 'Der Arbeitgeber muss den Arbeitnehmer mindestens vier Wochen nach der Versetzung informieren.'],
    ],
  },
  {
    language: 'de',
    quote: 'Die Zahl der Übernachtungen stieg im Jahr 2023 um 4,5 Prozent auf 1,2 Millionen.',
    sentences: [
      ['paraphrase', '2023 wuchs die Zahl der Übernachtungen um 4,5 % auf 1,2 Millionen.'],
      ['direction', 'Die Zahl der Übernachtungen sank 2023 um 4,5 Prozent.'],
      ['number', 'Die Zahl der Übernachtungen stieg im Jahr 2023 um 5,4 Prozent auf 1,2 Millionen.'],
      ['unit', 'Die Zahl der Übernachtungen stieg im Jahr 2023 um 4,5 Prozentpunkte.'],
    ],
  },
  {
    language: 'de',
    quote: 'Einige Anbieter speichern die Daten auch nach der Kündigung noch bis zu sechs Monate lang.',
    sentences: [
      ['paraphrase', 'Bis zu sechs Monate nach der Kündigung speichern einige Anbieter die Daten.'],
      ['quantifier', 'Alle Anbieter speichern die Daten nach der Kündigung bis zu sechs Monate lang.'],
      ['negation', 'Einige Anbieter speichern die Daten nach der Kündigung nicht.'],
      ['unit', 'Einige Anbieter speichern die Daten nach der Kündigung bis zu sechs Jahre lang.'],
    ],
  },
  {
    language: 'de',
    quote: 'Haustiere sind in der Wohnung nicht gestattet, Blindenführhunde sind davon ausgenommen.',
    sentences: [
      ['paraphrase', 'Haustiere sind in der Wohnung nicht erlaubt.'],
      ['paraphrase', 'In der Wohnung sind Haustiere verboten.'],
      ['negation', 'Haustiere sind in der Wohnung gestattet.'],
      ['word', 'Pflanzen sind in der Wohnung nicht gestattet.'],
    ],
  },
  {
    language: 'de',
    quote: 'Ingrid Solberg leitete das Institut in Bergen von 1998 bis 2006; ihr Nachfolger war Nils Dahl.',
    sentences: [
      ['paraphrase', 'Von 1998 bis 2006 leitete Ingrid Solberg das Institut in Bergen.'],
      ['paraphrase', 'Das Institut in Bergen wurde von 1998 bis 2006 von Ingrid Solberg geleitet.'],
      ['name', 'Ingrid Solberg leitete das Institut in Oslo von 1998 bis 2006.'],
      ['roles', 'Ingrid Solberg war die Nachfolgerin von Nils Dahl.'],
    ],
  },
  {
    language: 'de',
    quote: 'Das Gericht wies die Klage der Kessler GmbH gegen den Landkreis Celle ab.',
    sentences: [
      ['paraphrase', 'Die Klage der Kessler GmbH gegen den Landkreis Celle wurde vom Gericht abgewiesen.'],
      ['roles', 'Das Gericht wies die Klage des Landkreises Celle gegen die Kessler GmbH ab.'],
      ['name', 'Das Gericht wies die Klage der Kramer GmbH gegen den Landkreis Celle ab.'],
      ['negation', 'Das Gericht wies die Klage der Kessler GmbH gegen den Landkreis Celle nicht ab.'],
    ],
  },
  {
    language: 'de',
    quote: 'Der neue Akku wiegt 2,4 Kilogramm und hält länger als der alte.',
    sentences: [
      ['paraphrase', 'Das Gewicht des neuen Akkus beträgt 2,4 kg.'],
      ['unit', 'Der neue Akku wiegt 2,4 Gramm.'],
      ['direction', 'Der neue Akku hält kürzer als der alte.'],
      ['roles', 'Der alte Akku hält länger als der neue.'],
    ],
  },
  {
    language: 'de',
    quote: 'Die meisten Züge fahren werktags stündlich, am Wochenende verkehren nur zwei am Tag.',
    sentences: [
      ['paraphrase', 'Werktags fahren die meisten Züge stündlich.'],
      ['quantifier', 'Werktags fahren alle Züge stündlich.'],
      ['number', 'Am Wochenende verkehren nur drei Züge am Tag.'],
      ['word', 'Die meisten Busse fahren werktags stündlich.'],
    ],
  },
  {
    language: 'de',
    quote: 'Der Antrag ist spätestens am 15. Juni 2024 bei der Gemeinde einzureichen.',
    sentences: [
      ['paraphrase', 'Spätestens am 15.06.2024 muss der Antrag bei der Gemeinde eingereicht werden.'],
      ['direction', 'Der Antrag ist frühestens am 15. Juni 2024 bei der Gemeinde einzureichen.'],
      ['date', 'Der Antrag ist spätestens am 15. Juli 2024 bei der Gemeinde einzureichen.'],
      ['roles', 'Die Gemeinde muss den Antrag spätestens am 15. Juni 2024 einreichen.'],
    ],
  },
  {
    language: 'de',
    quote: 'Paul Winter besiegte im Finale den Titelverteidiger Jonas Brand mit 3:1.',
    sentences: [
      ['paraphrase', 'Im Finale besiegte Paul Winter den Titelverteidiger Jonas Brand.'],
      ['paraphrase', 'Jonas Brand wurde im Finale von Paul Winter besiegt.'],
      ['roles', 'Jonas Brand besiegte im Finale Paul Winter mit 3:1.'],
      ['number', 'Paul Winter besiegte Jonas Brand im Finale mit 3:2.'],
    ],
  },
  {
    language: 'en',
    quote: 'The committee did not approve the budget that the mayor of Dover had submitted in October.',
    sentences: [
      ['paraphrase', 'The budget submitted by the mayor of Dover in October was not approved by the committee.'],
      ['negation', 'The committee approved the budget that the mayor of Dover had submitted in October.'],
      ['roles', 'The mayor of Dover did not approve the budget that the committee had submitted.'],
      ['date', 'The committee did not approve the budget that the mayor of Dover had submitted in August.'],
    ],
  },
];
