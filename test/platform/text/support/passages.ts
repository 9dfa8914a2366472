/** The passages of the labelled pairs, and their languages. */
export const PASSAGES: Readonly<Record<string, { readonly language: string; readonly text: string }>> = {
  lease: {
    language: 'en',
    text: `Lease agreement

Northgate Properties lets the flat on Mill Lane 14 to Anna Meyer as of 1 May 2024. The monthly rent is EUR 1,250.50. It is due on the third working day of each month.

The tenant must not sublet the flat without the written consent of the landlord. Small pets may be kept in the flat if the landlord has been informed. Smoking is permitted on the balcony only.

The deposit is three monthly rents; it bears interest of 0.5 %. Either party may terminate the lease with three months notice. Repairs of up to EUR 80 are paid by the tenant.`,
  },
  report: {
    language: 'en',
    text: `Halden Marine had a good year. In 2023, revenue of Halden Marine rose by 12 % to $48.3 million. Operating costs fell to $31 million, since fuel was cheaper than in the year before. The company took on no new debt in 2023.

The yard in Bergen was closed in March 2023; 140 employees left. Order intake for offshore vessels doubled in the fourth quarter. Training was offered to everybody who asked for it.

The board proposes a dividend of $0.85 per share. For 2024, chief executive Ingrid Solberg expects revenue of between $50 million and $53 million.`,
  },
  device: {
    language: 'en',
    text: `Technical data. Weight: the device weighs 2.4 kg. Battery life: the device runs for up to nine hours on battery. Charging an empty battery takes 90 minutes with the supplied charger. The model HX-200 has 16 GB of memory.

Safety. The device must be operated between −10 °C and 45 °C only. Never open the housing while the device is connected to mains power.

Warranty. The warranty lasts two years. It does not cover damage caused by water.`,
  },
  vertrag: {
    language: 'de',
    text: `Der Vertrag beginnt am 1. März 2024 und hat eine Laufzeit von 24 Monaten. Die Vergütung beträgt 12.500,00 € pro Quartal zzgl. 19 % Umsatzsteuer. Rechnungen sind innerhalb von 30 Tagen nach Zugang zu bezahlen.

Der Auftragnehmer darf ohne schriftliche Zustimmung des Auftraggebers keine Unterauftragnehmer einsetzen. Die Haftung der Kessler GmbH ist auf 500.000 € je Schadensfall begrenzt.

Ansprechpartnerin des Auftraggebers ist Frau Dr. Lehmann. Gerichtsstand für alle Streitigkeiten ist Hamburg.`,
  },
  contrat: {
    language: 'fr',
    text: `Le prix total s'élève à 8 400 €, payable en trois versements. Un acompte de 30 % est versé à la signature du contrat. La livraison est prévue le 15 septembre 2024 à Lyon.

La société Morel n'est pas responsable des retards dus aux grèves. Le client assure lui-même les marchandises pendant le transport.`,
  },
  estatutos: {
    language: 'es',
    text: `La asamblea general se reúne en Valencia dos veces al año. Los socios pagan una cuota de 60 € al año. El presidente no podrá ser reelegido más de una vez. La asociación publica sus cuentas cada mes de marzo.`,
  },
  manuale: {
    language: 'it',
    text: `Il filtro dell'aria deve essere sostituito ogni sei mesi. Non usare acqua calda per la pulizia dell'apparecchio. La garanzia è valida per due anni dalla data di acquisto.`,
  },
  dogovor: {
    language: 'ru',
    text: `Настоящий договор заключён в Казани сроком на 12 месяцев. Исполнитель не имеет права передавать работу третьим лицам. Оплата производится ежемесячно.`,
  },
  keiyaku: {
    language: 'ja',
    text: `契約期間は2024年4月1日から12か月とする。利用料は月額5,000円とし、毎月末日までに支払う。利用者は契約を第三者に譲渡できない。`,
  },
  hetong: {
    language: 'zh',
    text: `租金为每月3000元,承租人应于每月5日支付。未经出租人同意,承租人不得转租房屋。出租人负责房屋的维修。`,
  },
  policy: {
    language: 'en',
    text: `Leave. Full-time employees receive 28 days of paid leave per calendar year. Up to five unused days can be carried over until 31 March of the next year. Sick leave of more than three days requires a medical certificate.

Employees may work from home on two days per week with the consent of their manager. First-class flights are not reimbursed. Requests must be sent to Maria Ortega in Human Resources at least 14 days before.`,
  },
  gutachten: {
    language: 'de',
    text: `Am 12. November 2023 gegen 14:30 Uhr ereignete sich in Leipzig ein Unfall. Das Fahrzeug von Herrn Krause fuhr nach Angaben eines Zeugen mit etwa 62 km/h. Ein technischer Mangel an den Bremsen wurde nicht festgestellt. Die Kosten der Reparatur werden auf 7.480,90 € geschätzt.`,
  },
  voorwaarden: {
    language: 'nl',
    text: `De levering duurt maximaal vijf werkdagen. De klant kan de bestelling binnen 14 dagen retourneren. Verzendkosten worden niet terugbetaald. Het pakket wordt verzonden vanuit Rotterdam.`,
  },
  edital: {
    language: 'pt',
    text: `As inscrições custam 45 reais e terminam no dia 10 de agosto de 2024. O candidato não pode usar calculadora durante a prova. A prova será realizada em Salvador.`,
  },
};
