import type { Random } from '../../../crash/random.js';
import type { Language } from '../set/document.types.js';
import { digits } from '../set/people.js';
import { pickDate } from '../set/writing.js';

/** One field of a form: its name in the schema, its title and other labels, and how its values are made. */
export interface FormField {
  readonly name: string;
  readonly kind: 'string' | 'number' | 'integer' | 'boolean' | 'date';
  /** The first is the title; all are in the schema. */
  readonly labels: readonly string[];
  /** What a document that is held out says instead, where it does not say what the schema has. */
  readonly otherLabel?: string;
  readonly options?: readonly string[];
  readonly unit?: string;
  make(random: Random): string | number | boolean;
}

/** A form, and the table that it may have. */
export interface FormSpec {
  readonly name: string;
  readonly language: Language;
  readonly isHeldOut: boolean;
  readonly title: string;
  readonly fields: readonly FormField[];
  readonly table?: { readonly name: string; readonly columns: readonly FormField[] };
  readonly list?: { readonly name: string; readonly labels: readonly string[]; readonly values: readonly string[] };
}

const pick =
  (...values: readonly string[]) =>
  (random: Random) =>
    random.pick(values);
const code = (prefix: string, count: number) => (random: Random) => `${prefix}${digits(random, count)}`;
const number =
  (least: number, most: number, divisor = 1) =>
  (random: Random) =>
    random.between(least, most) / divisor;
const chance = (random: Random) => random.chance(0.5);

const text = (name: string, labels: readonly string[], make: FormField['make'], otherLabel?: string): FormField => ({
  name,
  kind: 'string',
  labels,
  make,
  ...(otherLabel === undefined ? {} : { otherLabel }),
});
const day = (name: string, labels: readonly string[], otherLabel?: string): FormField => ({
  name,
  kind: 'date',
  labels,
  make: pickDate,
  ...(otherLabel === undefined ? {} : { otherLabel }),
});
const count = (name: string, labels: readonly string[], make: FormField['make'], unit?: string): FormField => ({
  name,
  kind: 'integer',
  labels,
  make,
  ...(unit === undefined ? {} : { unit }),
});
const amount = (name: string, labels: readonly string[], make: FormField['make'], unit?: string): FormField => ({
  name,
  kind: 'number',
  labels,
  make,
  ...(unit === undefined ? {} : { unit }),
});
const flag = (name: string, labels: readonly string[]): FormField => ({ name, kind: 'boolean', labels, make: chance });
const choice = (name: string, labels: readonly string[], ...options: readonly string[]): FormField => ({
  name,
  kind: 'string',
  labels,
  options,
  make: (random) => random.pick(options),
});

const PERSONS = pick('Emma Clarke', 'Jürgen Vogel', 'Hélène Mercier', 'Daniel Reed', 'Lucía Fernández');

/** The ten forms: five are held out. */
export const FORMS: readonly FormSpec[] = [
  {
    name: 'delivery note',
    language: 'en',
    isHeldOut: false,
    title: 'Delivery note',
    fields: [
      text('delivery_note_number', ['Delivery note no.', 'Note number'], code('DN-', 6)),
      day('dispatch_date', ['Dispatch date', 'Shipped on']),
      text('carrier', ['Carrier', 'Forwarder'], pick('DPD', 'Northern Freight', 'Royal Parcel')),
      count('packages', ['Packages', 'Number of packages'], number(1, 40)),
      amount('gross_weight_kg', ['Gross weight', 'Total weight'], number(100, 9_000, 10), 'kg'),
      flag('fragile', ['Fragile', 'Handle with care']),
    ],
    table: {
      name: 'positions',
      columns: [
        text('sku', ['SKU', 'Item code'], code('SK', 5)),
        text('item', ['Item', 'Goods'], pick('Glass jar 500 ml', 'Wooden crate', 'Cotton towel')),
        count('pieces', ['Pieces', 'Units'], number(1, 400)),
      ],
    },
  },
  {
    name: 'lab report',
    language: 'en',
    isHeldOut: true,
    title: 'Laboratory report',
    fields: [
      text('patient_name', ['Patient', 'Patient name'], PERSONS),
      day('date_of_birth', ['Date of birth', 'Born'], 'Birth date'),
      text('sample_id', ['Sample ID', 'Specimen no.'], code('S', 7)),
      day('collected_on', ['Collected on', 'Collection date'], 'Sample collected'),
      choice('priority', ['Priority', 'Urgency'], 'routine', 'urgent', 'stat'),
    ],
    table: {
      name: 'results',
      columns: [
        text('analyte', ['Analyte', 'Test'], pick('Haemoglobin', 'Glucose', 'Creatinine', 'Sodium')),
        amount('result', ['Result', 'Measured value'], number(5, 900, 10)),
        text('unit', ['Unit', 'Units'], pick('g/dl', 'mmol/l', 'mg/dl')),
      ],
    },
  },
  {
    name: 'property listing',
    language: 'en',
    isHeldOut: false,
    title: 'Property details',
    fields: [
      text('reference', ['Property reference', 'Ref. code'], code('PR', 5)),
      choice('property_type', ['Property type', 'Type of property'], 'flat', 'house', 'studio'),
      amount('living_area_m2', ['Living area', 'Floor space'], number(200, 3_000, 10), 'm²'),
      count('bedrooms', ['Bedrooms', 'No. of bedrooms'], number(1, 6)),
      amount('monthly_rent', ['Monthly rent', 'Rent per month'], number(400, 4_000)),
      day('available_from', ['Available from', 'Free from']),
      flag('pets_allowed', ['Pets allowed', 'Pets']),
    ],
  },
  {
    name: 'course registration',
    language: 'en',
    isHeldOut: true,
    title: 'Course registration',
    fields: [
      text('participant', ['Participant', 'Attendee'], PERSONS, 'Name of participant'),
      text('email', ['E-mail', 'Email address'], pick('emma@example.org', 'd.reed@example.com', 'lucia@example.net')),
      text(
        'course_title',
        ['Course', 'Course title'],
        pick('First aid at work', 'Project management', 'Safe welding'),
        'Title of course',
      ),
      day('course_date', ['Course date', 'Date of course'], 'Takes place on'),
      count('seats', ['Seats', 'Number of seats'], number(1, 12)),
      amount('fee', ['Fee', 'Course fee'], number(50, 900)),
      flag('certificate', ['Certificate', 'Certificate wanted']),
    ],
    list: {
      name: 'topics',
      labels: ['Topics', 'Contents'],
      values: ['Basics', 'Practice', 'Law', 'Planning', 'Review'],
    },
  },
  {
    name: 'Zählerprotokoll',
    language: 'de',
    isHeldOut: false,
    title: 'Zählerprotokoll',
    fields: [
      text('zaehlernummer', ['Zählernummer', 'Zähler-Nr.'], code('', 8)),
      day('ablesedatum', ['Ablesedatum', 'Abgelesen am']),
      count('zaehlerstand', ['Zählerstand', 'Stand'], number(1_000, 99_000), 'kWh'),
      amount('verbrauch', ['Verbrauch', 'Jahresverbrauch'], number(10_000, 90_000, 10), 'kWh'),
      choice('energieart', ['Energieart', 'Medium'], 'Strom', 'Gas', 'Wasser'),
      text('ableser', ['Ableser', 'Abgelesen von'], pick('Anna Schröder', 'Lukas Brandt')),
    ],
  },
  {
    name: 'Übergabeprotokoll',
    language: 'de',
    isHeldOut: true,
    title: 'Übergabeprotokoll',
    fields: [
      text('fahrzeug', ['Fahrzeug', 'Fahrzeugtyp'], pick('Transporter', 'Kombi', 'Kleinwagen'), 'Art des Fahrzeugs'),
      text('kennzeichen', ['Kennzeichen', 'Amtliches Kennzeichen'], (random) => `HH-AB ${digits(random, 3)}`),
      count('kilometerstand', ['Kilometerstand', 'km-Stand'], number(500, 180_000), 'km'),
      day('uebergabe', ['Übergabe am', 'Übergabedatum'], 'Tag der Übergabe'),
      day('erstzulassung', ['Erstzulassung', 'Erstmals zugelassen']),
      flag('schaeden', ['Schäden', 'Schäden vorhanden']),
      text('fahrer', ['Fahrer', 'Fahrer/in'], pick('Sabine Krämer', 'Jürgen Vogel')),
    ],
  },
  {
    name: 'Prüfbericht',
    language: 'de',
    isHeldOut: false,
    title: 'Prüfbericht',
    fields: [
      text('pruefnummer', ['Prüfnummer', 'Prüf-Nr.'], code('P-', 5)),
      day('pruefdatum', ['Prüfdatum', 'Geprüft am']),
      text('pruefer', ['Prüfer', 'Geprüft von'], pick('Anna Schröder', 'Lukas Brandt')),
      day('naechste_pruefung', ['Nächste Prüfung', 'Wiedervorlage']),
      choice('ergebnis', ['Ergebnis', 'Prüfergebnis'], 'bestanden', 'nicht bestanden'),
    ],
    table: {
      name: 'messungen',
      columns: [
        text('messpunkt', ['Messpunkt', 'Punkt'], pick('Gehäuse', 'Leitung', 'Erdung')),
        amount('sollwert', ['Sollwert', 'Soll'], number(10, 900, 10)),
        amount('istwert', ['Istwert', 'Ist'], number(10, 900, 10)),
      ],
    },
  },
  {
    name: 'certificat',
    language: 'fr',
    isHeldOut: false,
    title: 'Certificat de formation',
    fields: [
      text('titulaire', ['Titulaire', 'Nom du titulaire'], pick('Camille Rousseau', 'Luc Fontaine')),
      text('numero_certificat', ['Certificat n°', 'Numéro de certificat'], code('CF', 6)),
      day('delivre_le', ['Délivré le', 'Date de délivrance']),
      day('valable_jusqu_au', ['Valable jusqu’au', 'Fin de validité']),
      count('heures', ['Heures', "Nombre d'heures"], number(7, 140)),
      choice('niveau', ['Niveau', 'Niveau atteint'], 'débutant', 'confirmé', 'expert'),
    ],
  },
  {
    name: 'fiche',
    language: 'fr',
    isHeldOut: true,
    title: "Fiche d'intervention",
    fields: [
      text('technicien', ['Technicien', 'Intervenant'], pick('Pierre Blanchard', 'Luc Fontaine'), 'Nom du technicien'),
      text('numero_fiche', ['Fiche n°', 'Numéro de fiche'], code('FI-', 4)),
      day('date_intervention', ["Date d'intervention", 'Intervention du'], 'Jour de l’intervention'),
      amount('duree_heures', ['Durée (h)', 'Temps passé'], number(1, 16, 2)),
      flag('termine', ['Terminé', 'Travaux terminés']),
      choice('motif', ['Motif', "Motif d'intervention"], 'panne', 'entretien', 'installation'),
    ],
  },
  {
    name: 'ficha',
    language: 'es',
    isHeldOut: true,
    title: 'Ficha de inscripción',
    fields: [
      text('nombre', ['Nombre', 'Nombre del alumno'], pick('Lucía Fernández', 'Carlos Ruiz'), 'Nombre completo'),
      day('fecha_nacimiento', ['Fecha de nacimiento', 'Nacido el'], 'Día de nacimiento'),
      text('numero_socio', ['Nº de socio', 'Número de socio'], code('S-', 4)),
      amount('cuota_mensual', ['Cuota mensual', 'Cuota'], number(2_000, 9_000, 100), '€'),
      day('alta', ['Fecha de alta', 'Alta']),
      flag('seguro', ['Seguro', 'Con seguro']),
    ],
  },
];
