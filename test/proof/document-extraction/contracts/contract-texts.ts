import type { Language } from '../set/document.types.js';

/**
 * The paragraphs of contracts: `{name}` is a value. `A` has been read when the rules were made; `B` and `C` say the same in
 * other words and are held out.
 */
export const CONTRACT_TEXTS: Readonly<Record<Language, Readonly<Record<'A' | 'B', readonly string[]>>>> = {
  en: {
    A: [
      '#Service Agreement',
      'Contract no.: {number}',
      'This Agreement is made between {provider}, {providerAddress} ("Provider") and {client}, {clientAddress} ("Client").',
      '1. Subject. The Provider shall render maintenance services for the installations of the Client as set out in Annex 1.',
      '2. Term. This Agreement is effective as of {effectiveDate} and is concluded for a term of {term}.[ It expires on {endDate}.]',
      '3. Fee. The Client shall pay a total fee of {value}. Invoices are payable within 14 days of receipt.',
      '4. Termination. Either party may terminate this Agreement with a notice of {notice}. Notices must be in writing.',
      '5. Liability. Each party is liable for damage caused by intent or gross negligence, limited to twice the annual fee.',
      '6. Law. This Agreement shall be governed by the laws of {law}. The courts of the Provider’s seat have jurisdiction.',
    ],
    B: [
      '#Framework Contract for Services',
      'Reference of agreement: {number}',
      'The undersigned {provider}, having its office at {providerAddress}, and {client}, residing at {clientAddress}, hereby agree as follows.',
      'I. The first party looks after the buildings of the second party and reports every quarter.',
      'II. Performance begins on {effectiveDate}. The engagement lasts {term}[ and comes to an end on {endDate}].',
      'III. For all work the second party owes {value}, to be settled 30 days after each report.',
      'IV. The engagement can be cancelled by either side {notice} in advance.',
      'V. All questions are decided under the law of {law}.',
    ],
  },
  de: {
    A: [
      '#Dienstleistungsvertrag',
      'Vertragsnummer: {number}',
      'Zwischen der {provider}, {providerAddress} (nachfolgend „Auftragnehmer“) und der {client}, {clientAddress} (nachfolgend „Auftraggeber“) wird folgender Vertrag geschlossen.',
      '§ 1 Gegenstand. Der Auftragnehmer wartet die Anlagen des Auftraggebers nach Maßgabe der Anlage 1.',
      '§ 2 Laufzeit. Der Vertrag tritt in Kraft am {effectiveDate} und wird auf die Dauer von {term} geschlossen.[ Er endet am {endDate}.]',
      '§ 3 Vergütung. Der Auftraggeber zahlt eine Vergütung von {value}. Rechnungen sind binnen 14 Tagen zahlbar.',
      '§ 4 Kündigung. Der Vertrag kann mit einer Frist von {notice} schriftlich gekündigt werden.',
      '§ 5 Haftung. Jede Partei haftet für Vorsatz und grobe Fahrlässigkeit, begrenzt auf das Doppelte der Vergütung.',
      '§ 6 Recht. Es gilt das Recht von {law}. Gerichtsstand ist der Sitz des Auftragnehmers.',
    ],
    B: [
      '#Rahmenvertrag',
      'Aktenzeichen des Vertrags: {number}',
      'Die Unterzeichnenden, {provider} mit Sitz in {providerAddress}, und {client}, {clientAddress}, vereinbaren:',
      'I. Die erste Partei betreut die Gebäude der zweiten und berichtet vierteljährlich.',
      'II. Die Leistung setzt am {effectiveDate} ein. Das Verhältnis dauert {term}[ und läuft am {endDate} aus].',
      'III. Für alle Arbeiten schuldet die zweite Partei {value}, fällig 30 Tage nach jedem Bericht.',
      'IV. Jede Seite kann {notice} im Voraus kündigen.',
      'V. Alle Fragen richten sich nach dem Recht von {law}.',
    ],
  },
  fr: {
    A: [
      '#Contrat de prestation de services',
      'Contrat n° : {number}',
      'Entre {provider}, {providerAddress} (ci-après « le Prestataire ») et {client}, {clientAddress} (ci-après « le Client »), il est convenu ce qui suit.',
      'Article 1. Objet. Le Prestataire entretient les installations du Client selon l’annexe 1.',
      'Article 2. Durée. Le contrat prend effet le {effectiveDate} pour une durée de {term}.[ Il expire le {endDate}.]',
      'Article 3. Prix. Le Client verse une rémunération de {value}. Les factures sont payables sous 14 jours.',
      'Article 4. Résiliation. Chaque partie peut résilier moyennant un préavis de {notice}.',
      'Article 5. Responsabilité. Chaque partie répond du dol et de la faute lourde, dans la limite du double du prix.',
      'Article 6. Droit. Le contrat est soumis au droit {law}. Les tribunaux du siège du Prestataire sont compétents.',
    ],
    B: [
      '#Accord-cadre',
      'Dossier du contrat : {number}',
      'Les soussignés, {provider}, dont le siège est {providerAddress}, et {client}, {clientAddress}, s’accordent sur ce qui suit.',
      'I. La première partie s’occupe des bâtiments de la seconde et rend compte chaque trimestre.',
      'II. L’exécution commence le {effectiveDate}. La relation dure {term}[ et se termine le {endDate}].',
      'III. Pour tous les travaux, la seconde partie doit {value}, à 30 jours de chaque compte rendu.',
      'IV. Chacun peut y mettre fin {notice} à l’avance.',
      'V. Toute question relève du droit {law}.',
    ],
  },
  es: {
    A: [
      '#Contrato de prestación de servicios',
      'Contrato n.º: {number}',
      'Entre {provider}, {providerAddress} (en adelante, «el Prestador») y {client}, {clientAddress} (en adelante, «el Cliente»), se acuerda lo siguiente.',
      'Primera. Objeto. El Prestador mantiene las instalaciones del Cliente según el anexo 1.',
      'Segunda. Duración. El contrato entra en vigor el {effectiveDate} por un plazo de {term}.[ Finaliza el {endDate}.]',
      'Tercera. Precio. El Cliente abona una remuneración de {value}. Las facturas se pagan a 14 días.',
      'Cuarta. Resolución. Cada parte puede resolverlo con un preaviso de {notice}.',
      'Quinta. Ley. El contrato se rige por la ley de {law}.',
    ],
    B: [
      '#Acuerdo marco',
      'Expediente del contrato: {number}',
      'Los abajo firmantes, {provider}, con domicilio en {providerAddress}, y {client}, {clientAddress}, convienen:',
      'I. La primera parte cuida los edificios de la segunda e informa cada trimestre.',
      'II. La prestación comienza el {effectiveDate}. La relación dura {term}[ y acaba el {endDate}].',
      'III. Por todos los trabajos la segunda parte debe {value}, a 30 días de cada informe.',
      'IV. Cada parte puede cancelarlo con {notice} de antelación.',
      'V. Todas las cuestiones se deciden conforme al derecho de {law}.',
    ],
  },
};

/** How times are counted. */
export const TIME_WORDS: Readonly<
  Record<Language, { readonly months: string; readonly years: string; readonly days: string }>
> = {
  en: { months: 'months', years: 'years', days: 'days' },
  de: { months: 'Monaten', years: 'Jahren', days: 'Tagen' },
  fr: { months: 'mois', years: 'ans', days: 'jours' },
  es: { months: 'meses', years: 'años', days: 'días' },
};
