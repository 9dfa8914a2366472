import { CitationVerifier } from '../../../src/knowledge/chat/citation-verifier.js';
import { CitedText } from '../../../src/knowledge/chat/cited-text.js';
import { CooperativeYield } from '../../../src/platform/async/cooperative-yield.js';

/** What the first passage says. */
export const LUNCH = 'Guests pay 7.20 euros for lunch.';
const HOLIDAYS = 'Every employee has thirty days of holidays a year. Ask your team leader weeks before.';

/** Answers what a client gets of an answer that is written piece by piece, with four passages; the first says `LUNCH`. */
export async function citeText(...pieces: string[]) {
  const passage = { fileId: 'file_1', filename: 'a.pdf', page: 3, headings: [], language: null };
  const hindi = 'अतिथि भोजन के लिए 7.20 यूरो देते हैं।';
  const signed = 'The vault is at −18 °C. The refund for it is -$5.00.';
  const passages = [LUNCH, HOLIDAYS, hindi, signed].map((text, index) => ({
    ...passage,
    chunkId: `chk_${index}`,
    text,
  }));
  const cooperation = new CooperativeYield();
  const verifier = new CitationVerifier(passages, cooperation);
  const text = new CitedText(verifier, cooperation, true);
  let written = '';
  for (const piece of pieces) written += await text.write(piece);
  written += await text.end();
  return { written, citations: verifier.citations };
}
