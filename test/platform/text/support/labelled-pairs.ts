import { LATER_SENTENCES } from './later-sentences.js';
import { PASSAGES } from './passages.js';
import type { PairKind } from './pair-kind.js';

/** A sentence and a passage, of which a person knows whether the one is supported by the other. */
export interface LabelledPair {
  readonly kind: PairKind;
  readonly language: string;
  readonly passage: string;
  readonly sentence: string;
  readonly isSupported: boolean;
  /** The rules were tuned on the first half, and the second was left out of sight; the third was written afterwards. */
  readonly set: 'tuned' | 'held out' | 'later';
}

/** Passages by name; after it the sentences, each with its kind. */
const SENTENCES: Readonly<Record<string, readonly (readonly [PairKind, string])[]>> = {
  lease: [
    ['paraphrase', 'The monthly rent of 1,250.50 euros is due on the third working day.'],
    ['paraphrase', 'Rent: EUR 1250.50 per month, payable by the 3rd working day of every month.'],
    ['paraphrase', 'Northgate Properties lets the flat to Anna Meyer from 1 May 2024.'],
    ['paraphrase', 'Since 2024-05-01, Anna Meyer rents the flat from Northgate Properties.'],
    ['paraphrase', 'The tenant is not allowed to sublet the flat without written consent.'],
    ['paraphrase', 'Pets can be kept in the flat if the landlord is informed.'],
    ['paraphrase', 'Either party can end the lease with three months notice.'],
    ['paraphrase', 'The deposit amounts to 3 monthly rents and bears 0.5 percent interest.'],
    ['two sentences', 'Anna Meyer rents the flat from 1 May 2024 for a monthly rent of EUR 1,250.50.'],
    ['changed number', 'The monthly rent is EUR 1,350.50, due on the third working day.'],
    ['changed number', 'Either party may terminate the lease with six months notice.'],
    ['changed number', 'The deposit is two monthly rents and bears interest of 0.5 %.'],
    ['changed number', 'The rent of EUR 1,250.50 is due on the fourth working day of each month.'],
    ['changed unit or date', 'Northgate Properties lets the flat to Anna Meyer from 1 June 2024.'],
    ['changed unit or date', 'Either party may terminate the lease with three weeks notice.'],
    ['changed unit or date', 'The monthly rent is USD 1,250.50.'],
    ['changed unit or date', 'Northgate Properties lets the flat to Anna Meyer from 1 May 2023.'],
    ['changed name', 'Northgate Properties lets the flat to Anna Schmidt from 1 May 2024.'],
    ['changed name', 'Southgate Properties lets the flat to Anna Meyer from 1 May 2024.'],
    ['changed negation', 'The tenant may sublet the flat without written consent.'],
    ['changed negation', 'Pets may not be kept in the flat.'],
    ['changed negation', 'Either party may not terminate the lease with three months notice.'],
    ['far apart', 'Pets may be kept for three monthly rents.'],
    ['far apart', 'Anna Meyer pays interest on pets in the flat.'],
    ['other language', 'Die monatliche Miete beträgt 1.250,50 Euro und ist am dritten Werktag fällig.'],
    ['other language', 'Le locataire ne peut pas sous-louer sans accord écrit.'],
    ['too short', 'Yes.'],
    ['too short', 'The flat.'],
    ['swapped roles', 'Anna Meyer lets the flat to Northgate Properties from 1 May 2024.'],
    ['changed word', 'Fish may be kept in the flat if the landlord is informed.'],
  ],
  report: [
    ['paraphrase', 'In 2023 the revenue of Halden Marine rose by 12 % to 48.3 million dollars.'],
    ['paraphrase', "Halden Marine's revenue grew 12 percent to $48.3 million in 2023."],
    ['paraphrase', 'Operating costs fell to $31 million because fuel was cheaper.'],
    ['paraphrase', 'The board proposes a dividend of $0.85 for each share.'],
    ['paraphrase', 'The yard in Bergen was closed in March 2023, and 140 employees left.'],
    ['paraphrase', 'The company did not take on new debt in 2023.'],
    ['paraphrase', 'Order intake for offshore vessels doubled in the fourth quarter.'],
    ['paraphrase', 'Chief executive Ingrid Solberg expects revenue between 50 and 53 million dollars in 2024.'],
    ['two sentences', 'Revenue rose by 12 % to $48.3 million while operating costs fell to $31 million.'],
    ['changed number', 'Revenue of Halden Marine rose by 21 % to $48.3 million in 2023.'],
    ['changed number', 'The board proposes a dividend of $0.58 per share.'],
    ['changed number', 'The yard in Bergen was closed in March 2023 and 410 employees left.'],
    ['changed number', 'Revenue of Halden Marine rose by 12 % to $483 million in 2023.'],
    ['changed number', 'Order intake for offshore vessels doubled in the third quarter.'],
    ['changed unit or date', 'Revenue of Halden Marine rose by 12 percentage points to $48.3 million in 2023.'],
    ['changed unit or date', 'Revenue of Halden Marine rose by 12 % to €48.3 million in 2023.'],
    ['changed unit or date', 'Revenue of Halden Marine rose by 12 % to $48.3 billion in 2023.'],
    ['changed unit or date', 'The yard in Bergen was closed in May 2023.'],
    ['changed name', 'The yard in Oslo was closed in March 2023 and 140 employees left.'],
    ['changed name', 'In 2023, revenue of Halden Aviation rose by 12 % to $48.3 million.'],
    ['changed name', 'Chief executive Ingrid Larsen expects revenue between $50 million and $53 million in 2024.'],
    ['changed negation', 'The company took on new debt in 2023.'],
    ['changed negation', 'The yard in Bergen was not closed in March 2023.'],
    ['changed negation', 'Order intake for offshore vessels never doubled in the fourth quarter.'],
    ['far apart', 'Ingrid Solberg closed the yard in Bergen for $0.85 per share.'],
    ['far apart', 'Fuel costs of offshore vessels in Bergen doubled in 2024.'],
    ['other language', 'Im Jahr 2023 stieg der Umsatz von Halden Marine um 12 % auf 48,3 Millionen Dollar.'],
    ['too short', 'In 2023.'],
    ['swapped roles', 'Halden Marine proposes Ingrid Solberg a dividend of $0.85 per share.'],
    ['changed word', 'In 2023, revenue of Halden Marine fell by 12 % to $48.3 million.'],
  ],
  device: [
    ['paraphrase', 'The device weighs 2.4 kg and runs up to nine hours on battery.'],
    ['paraphrase', 'Operate the device only between -10 °C and 45 °C.'],
    ['paraphrase', 'Charging from empty takes 90 minutes with the supplied charger.'],
    ['paraphrase', 'Never open the housing while the device is connected to mains power.'],
    ['paraphrase', 'The model HX-200 has 16 GB of memory.'],
    ['changed number', 'The device weighs 4.2 kg and runs for nine hours on battery.'],
    ['changed number', 'The operating temperature is between 10 °C and 45 °C.'],
    ['changed unit or date', 'The device weighs 2.4 g.'],
    ['changed unit or date', 'Charging an empty battery takes 90 hours.'],
    ['changed unit or date', 'The model HX-200 has 16 MB of memory.'],
    ['changed name', 'The model HX-300 has 16 GB of memory.'],
    ['changed negation', 'Open the housing while the device is connected to mains power.'],
    ['changed negation', 'The warranty covers damage caused by water.'],
    ['paraphrase', 'Water damage is not covered by the warranty.'],
    ['far apart', 'The supplied charger weighs 2.4 kg and has 16 GB of memory.'],
    ['too short', 'Battery.'],
    ['too short', ''],
    ['swapped roles', 'Memory covers the warranty of water that the damage is not caused by.'],
    ['changed word', 'Charging an empty battery takes 90 minutes with any charger.'],
  ],
  vertrag: [
    ['paraphrase', 'Der Vertrag beginnt am 01.03.2024 und läuft 24 Monate.'],
    ['paraphrase', 'Vertragsbeginn ist der 1. März 2024.'],
    ['paraphrase', 'Die Vergütung beträgt 12.500 Euro pro Quartal zuzüglich 19 Prozent Umsatzsteuer.'],
    ['paraphrase', 'Die Haftung der Kessler GmbH ist auf 500.000 € je Schadensfall begrenzt.'],
    ['paraphrase', 'Ohne schriftliche Zustimmung darf der Auftragnehmer keine Unterauftragnehmer einsetzen.'],
    ['paraphrase', 'Gerichtsstand ist Hamburg.'],
    ['paraphrase', 'Rechnungen sind binnen 30 Tagen nach Zugang zu bezahlen.'],
    ['paraphrase', 'Ansprechpartnerin des Auftraggebers ist Frau Dr. Lehmann.'],
    ['two sentences', 'Der Vertrag beginnt am 1. März 2024, und die Vergütung beträgt 12.500 € pro Quartal.'],
    ['changed number', 'Der Vertrag beginnt am 1. März 2024 und läuft 36 Monate.'],
    ['changed number', 'Die Haftung der Kessler GmbH ist auf 50.000 € je Schadensfall begrenzt.'],
    ['changed number', 'Rechnungen sind innerhalb von 14 Tagen nach Zugang zu bezahlen.'],
    ['changed unit or date', 'Der Vertrag beginnt am 1. Mai 2024 und läuft 24 Monate.'],
    ['changed unit or date', 'Rechnungen sind innerhalb von 30 Wochen nach Zugang zu bezahlen.'],
    ['changed unit or date', 'Die Vergütung beträgt 12.500 $ pro Quartal.'],
    ['changed name', 'Gerichtsstand ist München.'],
    ['changed name', 'Die Haftung der Kramer GmbH ist auf 500.000 € je Schadensfall begrenzt.'],
    ['changed name', 'Ansprechpartnerin des Auftraggebers ist Frau Dr. Bergmann.'],
    ['changed negation', 'Der Auftragnehmer darf ohne schriftliche Zustimmung Unterauftragnehmer einsetzen.'],
    ['changed negation', 'Die Haftung der Kessler GmbH ist nicht auf 500.000 € je Schadensfall begrenzt.'],
    ['changed negation', 'Rechnungen sind nicht innerhalb von 30 Tagen nach Zugang zu bezahlen.'],
    ['far apart', 'Frau Dr. Lehmann haftet in Hamburg für Unterauftragnehmer.'],
    ['far apart', 'Die Umsatzsteuer ist auf 500.000 € je Quartal begrenzt.'],
    ['other language', 'The contract starts on 1 March 2024 and runs for 24 months.'],
    ['too short', 'Ja.'],
    ['swapped roles', 'Der Auftraggeber darf ohne Zustimmung des Auftragnehmers keine Unterauftragnehmer einsetzen.'],
  ],
  contrat: [
    ['paraphrase', 'Le prix total est de 8 400 euros, payable en trois versements.'],
    ['paraphrase', "L'acompte de 30 pour cent est versé à la signature."],
    ['paraphrase', "La société Morel n'est pas responsable des retards dus aux grèves."],
    ['paraphrase', 'La livraison est prévue à Lyon le 15 septembre 2024.'],
    ['changed number', 'Le prix total est de 4 800 euros, payable en trois versements.'],
    ['changed number', 'Le prix total est de 8 400 euros, payable en quatre versements.'],
    ['changed unit or date', 'La livraison est prévue à Lyon le 15 octobre 2024.'],
    ['changed name', 'La livraison est prévue à Nantes le 15 septembre 2024.'],
    ['changed name', "La société Dupuis n'est pas responsable des retards dus aux grèves."],
    ['changed negation', 'La société Morel est responsable des retards dus aux grèves.'],
    ['changed negation', "La livraison n'est pas prévue à Lyon le 15 septembre 2024."],
    ['far apart', "L'acompte est versé à Lyon en cas de grève."],
    ['other language', 'The total price is 8,400 euros, payable in three instalments.'],
  ],
  estatutos: [
    ['paraphrase', 'La asamblea se reúne dos veces al año en Valencia.'],
    ['paraphrase', 'Los socios pagan una cuota anual de 60 euros.'],
    ['paraphrase', 'El presidente no puede ser reelegido más de una vez.'],
    ['changed number', 'La asamblea se reúne cuatro veces al año en Valencia.'],
    ['changed unit or date', 'Los socios pagan una cuota anual de 60 dólares.'],
    ['changed name', 'La asamblea se reúne dos veces al año en Sevilla.'],
    ['changed negation', 'El presidente puede ser reelegido más de una vez.'],
    ['other language', 'The assembly meets twice a year in Valencia.'],
  ],
  manuale: [
    ['paraphrase', 'Il filtro deve essere sostituito ogni 6 mesi.'],
    ['changed number', 'Il filtro deve essere sostituito ogni 9 mesi.'],
    ['changed unit or date', 'Il filtro deve essere sostituito ogni sei settimane.'],
    ['changed negation', 'Il filtro non deve essere sostituito ogni sei mesi.'],
    ['changed negation', "Usare acqua calda per la pulizia dell'apparecchio."],
  ],
  dogovor: [
    ['paraphrase', 'Договор заключён в Казани на срок 12 месяцев.'],
    ['changed number', 'Договор заключён в Казани на срок 18 месяцев.'],
    ['changed name', 'Договор заключён в Самаре на срок 12 месяцев.'],
    ['changed negation', 'Исполнитель имеет право передавать работу третьим лицам.'],
  ],
  keiyaku: [
    ['paraphrase', '契約期間は2024年4月1日から12か月である。'],
    ['paraphrase', '利用料は月額5,000円です。'],
    ['changed number', '利用料は月額8,000円です。'],
    ['changed number', '契約期間は2024年4月1日から24か月です。'],
    ['changed negation', '利用者は契約を第三者に譲渡できる。'],
  ],
  hetong: [
    ['paraphrase', '租金为每月3000元,每月5日支付。'],
    ['changed number', '租金为每月5000元,每月5日支付。'],
    ['changed negation', '承租人可以转租房屋。'],
    ['far apart', '出租人每月5日维修房屋。'],
  ],
};

/** All pairs, in the order of the passages. */
export const LABELLED_PAIRS: readonly LabelledPair[] = toPairs();

function toPairs(): LabelledPair[] {
  const seen = new Map<PairKind, number>();
  return Object.entries({ ...SENTENCES, ...LATER_SENTENCES }).flatMap(([name, sentences]) => {
    const { text: passage = '', language = '' } = PASSAGES[name] ?? {};
    return sentences.map(([kind, sentence]) => {
      const count = seen.get(kind) ?? 0;
      seen.set(kind, count + 1);
      const isSupported = kind === 'paraphrase' || kind === 'two sentences';
      const set = Object.hasOwn(LATER_SENTENCES, name) ? 'later' : count % 2 === 1 ? 'held out' : 'tuned';
      return { kind, language, passage, sentence, isSupported, set };
    });
  });
}
