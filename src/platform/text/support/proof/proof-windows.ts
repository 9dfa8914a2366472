import { sentencesIn } from '../../sentences/sentences.js';

/** Neighbouring sentences that prove one together, each of which speaks of what the one before does. */
const MOST_SENTENCES = 3;
const REFERRING =
  /^(?:it|its|he|she|they|their|his|her|this|these|both|er|sie|es|dies|diese|dieser|dieses|sein|seine|ihr|ihre|beide)(?!\p{L})/iu;
const QUESTION =
  /[?？؟⁇⁈⁉‽﹖❓][^\p{L}\p{N}]*$|^(?:Do|Does|Did|Is|Are|Was|Were|Can|Could|Should|Will|Has|Have|Why|How)(?!\p{L})[^.!]*$/u;
/** A row of a table has its cells between bars. */
const ROWS = /\n(?=[^\n]*\|)/u;

/** The sentences of a quote that state something, and up to three of them in a row where the later ones refer back. */
export function* windowsIn(quote: string): Generator<string> {
  const [head = '', ...rows] = quote.split(ROWS);
  if (rows.length > 0) {
    // What stands in one row with the head of the table, since rows have nothing to do with each other.
    for (const row of rows) yield `${head} ${row}`;
    return;
  }
  const sentences = Array.from(sentencesIn(quote), ({ start, end }) => quote.slice(start, end)).filter(
    (sentence) => !QUESTION.test(sentence),
  );
  for (const [index, sentence] of sentences.entries()) {
    yield sentence;
    for (let count = 2; count <= MOST_SENTENCES && index + count <= sentences.length; count += 1) {
      if (!REFERRING.test(sentences[index + count - 1] ?? '')) break;
      yield sentences.slice(index, index + count).join(' ');
    }
  }
}
