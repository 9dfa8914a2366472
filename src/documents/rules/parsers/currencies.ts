/** The codes of ISO 4217 that business documents have; other words of three capitals are none. */
const CODES =
  'EUR|USD|GBP|CHF|JPY|CNY|CAD|AUD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|RON|BGN|TRY|BRL|MXN|INR|ZAR|SGD|HKD|KRW|ILS|AED|SAR|THB|IDR|MYR|PHP|ARS|CLP|COP|PEN|UAH|ISK';

const SYMBOLS: Readonly<Record<string, string>> = {
  '€': 'EUR',
  $: 'USD',
  us$: 'USD',
  '£': 'GBP',
  '¥': 'JPY',
  'fr.': 'CHF',
  sfr: 'CHF',
  euro: 'EUR',
  euros: 'EUR',
  dollars: 'USD',
  francs: 'CHF',
  franken: 'CHF',
  pounds: 'GBP',
};

const CURRENCY = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${CODES}|US\$|Fr\.|SFr|[Ee]uros?|[Dd]ollars|[Ff]rancs|[Ff]ranken|[Pp]ounds)(?!\p{L})|[€$£¥]`,
  'gu',
);

/** A currency where a text names it, by its code or its sign. */
export interface FoundCurrency {
  readonly code: string;
  readonly start: number;
  readonly end: number;
}

/** Finds the currencies that a text names. */
export function findCurrencies(text: string): FoundCurrency[] {
  return [...text.matchAll(CURRENCY)].map(({ 0: sign, index }) => ({
    code: SYMBOLS[sign.toLowerCase()] ?? sign,
    start: index,
    end: index + sign.length,
  }));
}
