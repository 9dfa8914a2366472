/** Units that are written in several ways: the first of each line stands for the others. */
const SPELLINGS = `
% percent prozent pourcent procent procento pct
pp percentagepoints percentagepoint prozentpunkte prozentpunkt prozentpunkten
€ euro euros eur
$ dollar dollars usd us$ dólar dólares dollari dólar
£ pound pounds gbp pfund sterling libras livres
¥ yen jpy 円
cny yuan rmb 元
chf franken francs
second 秒 seconds sec secs s sekunde sekunden seconde secondes segundo segundos secondo secondi secondes
minute 分 minutes min mins minuten minuto minutos minuti minuut
hour 時 时 hours h hr hrs stunde stunden std heure heures hora horas ora ore uur uren
day 日 days d tag tage tagen tages jour jours día días dia dias giorno giorni dag dagen
week weeks woche wochen semaine semaines semana semanas settimana settimane weken
month months monat monate monaten monats mois mes meses mese mesi mês maand maanden
year 年 years yr yrs jahr jahre jahren jahres ans année années año años anno anni ano anos jaar jaren
月
mm millimetre millimetres millimeter millimeters millimetern
cm centimetre centimetres centimeter centimeters zentimeter zentimetern
m metre metres meter meters metern mètre mètres metro metros metri
km kilometre kilometres kilometer kilometers kilometern kilomètre kilomètres kilómetro kilómetros
mile miles mi meile meilen
foot feet ft
inch inches zoll
m2 qm sqm quadratmeter quadratmetern
m3 cbm kubikmeter
mg milligram milligrams milligramm
g gram grams gramm gramme grammes gramo gramos grammi
kg kilo kilos kilogram kilograms kilogramm kilogramme kilogrammes kilogramo kilogramos
t ton tons tonne tonnes tonnen
lb lbs
ml millilitre millilitres milliliter milliliters
l litre litres liter liters litern litro litros litri
kb kilobyte kilobytes
mb megabyte megabytes
gb gigabyte gigabytes
tb terabyte terabytes
watt watts
kw kilowatt
mw megawatt
kwh kilowattstunde kilowattstunden
mwh
volt volts
ampere
hz hertz
khz
mhz
ghz
°c celsius grad
°f fahrenheit
bar
km/h kmh
mph
`;

/** By how many powers of ten a word makes a number greater; billion and trillion are other numbers in other languages. */
const SCALES: Readonly<Record<string, number>> = {
  thousand: 3,
  tausend: 3,
  mille: 3,
  mil: 3,
  mila: 3,
  duizend: 3,
  million: 6,
  millions: 6,
  millionen: 6,
  mio: 6,
  mn: 6,
  millón: 6,
  millones: 6,
  milione: 6,
  milioni: 6,
  milhão: 6,
  milhões: 6,
  miljoen: 6,
  milliard: 9,
  milliarde: 9,
  milliarden: 9,
  milliards: 9,
  mrd: 9,
  bn: 9,
  miliardi: 9,
  miljard: 9,
};
const SHORT_SCALE = new Set(['en', '']);

const units: ReadonlyMap<string, string> = new Map(
  SPELLINGS.trim()
    .split('\n')
    .flatMap((line) => {
      const spellings = line.split(' ');
      return spellings.map((spelling) => [spelling, spellings[0] ?? spelling] as const);
    }),
);

/** Answers the one spelling of a unit that stands for all, of a word in lower case; undefined where it is no unit. */
export function toUnit(word: string): string | undefined {
  return units.get(word);
}

/** Answers the power of ten that a word in lower case, such as `million`, multiplies with; undefined where it does not. */
export function toScale(word: string, language: string): number | undefined {
  if (word === 'billion' || word === 'billions') return SHORT_SCALE.has(language) ? 9 : 12;
  return Object.hasOwn(SCALES, word) ? SCALES[word] : undefined;
}
