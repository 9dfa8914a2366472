const ORDER = 6;
const BETA = 2;

/** Counts of the n-grams of one length: those of the translations, of the references, and of both. */
interface Counts {
  translated: number;
  expected: number;
  both: number;
}

/**
 * chrF of translations (Popović 2015): n-grams of one to six characters without white space, their precision and recall
 * over all texts, averaged, recall weighing twice as much (β = 2). It is what sacrebleu calls chrF2.
 * @returns from 0 to 100
 */
export function chrf(pairs: readonly { readonly translation: string; readonly reference: string }[]): number {
  const all = Array.from({ length: ORDER }, (): Counts => ({ translated: 0, expected: 0, both: 0 }));
  for (const { translation, reference } of pairs) {
    for (const [index, counts] of all.entries())
      add(counts, gramsOf(translation, index + 1), gramsOf(reference, index + 1));
  }
  const used = all.filter(({ translated, expected }) => translated > 0 && expected > 0);
  if (used.length === 0) return 0;
  const precision = used.reduce((sum, { both, translated }) => sum + both / translated, 0) / used.length;
  const recall = used.reduce((sum, { both, expected }) => sum + both / expected, 0) / used.length;
  if (precision + recall === 0) return 0;
  return (100 * (1 + BETA ** 2) * precision * recall) / (BETA ** 2 * precision + recall);
}

function add(counts: Counts, translated: ReadonlyMap<string, number>, expected: ReadonlyMap<string, number>): void {
  for (const [gram, times] of translated) {
    counts.translated += times;
    counts.both += Math.min(times, expected.get(gram) ?? 0);
  }
  for (const times of expected.values()) counts.expected += times;
}

function gramsOf(text: string, length: number): Map<string, number> {
  const characters = Array.from(text.replaceAll(/\s+/g, ''));
  const grams = new Map<string, number>();
  for (let start = 0; start + length <= characters.length; start += 1) {
    const gram = characters.slice(start, start + length).join('');
    grams.set(gram, (grams.get(gram) ?? 0) + 1);
  }
  return grams;
}
