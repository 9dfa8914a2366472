import { sentencesIn } from '../../platform/text/sentences/sentences.js';

const words = new Intl.Segmenter(undefined, { granularity: 'word' });
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * Answers where a text that is too long is cut: behind its last whole sentence up to `wanted`, else behind its first one
 * up to `most`, else between words, by dictionary where a script has no spaces, else between characters as people see
 * them.
 * @param window the beginning of the text, longer than `most` or followed by more
 * @param wanted in UTF-16 units, at least 1; `most` is not less
 * @param hasSentences false for rows and code
 * @returns undefined where its first character is longer than `most`
 */
export function findCut(window: string, wanted: number, most: number, hasSentences: boolean): number | undefined {
  const sentence = hasSentences ? sentenceEnd(window, wanted, most) : undefined;
  return sentence ?? wordStart(window, wanted) ?? graphemeStart(window, wanted, most);
}

/** Answers where a text is cut inside of a character as people see it, but not inside of a pair of surrogates. */
export function cutCharacter(window: string, wanted: number): number {
  const isInside = /[\ud800-\udbff]/.test(window.charAt(wanted - 1)) && /[\udc00-\udfff]/.test(window.charAt(wanted));
  if (!isInside) return wanted;
  return wanted > 1 ? wanted - 1 : wanted + 1;
}

function sentenceEnd(window: string, wanted: number, most: number): number | undefined {
  const last = window.trimEnd().length;
  let best: number | undefined;
  for (const { end } of sentencesIn(window)) {
    // What ends with the window may go on behind it.
    if (end > most || end >= last) break;
    if (end > wanted) return best ?? end;
    best = end;
  }
  return best;
}

function wordStart(window: string, wanted: number): number | undefined {
  let anyStart: number | undefined;
  let spacedStart: number | undefined;
  let isAfterSpace = false;
  for (const { segment, index } of words.segment(window)) {
    if (index > wanted) break;
    if (index > 0) anyStart = index;
    if (index > 0 && isAfterSpace) spacedStart = index;
    isAfterSpace = segment.trim() === '';
  }
  // Between spaces is better than at a sign, if that leaves enough.
  return spacedStart !== undefined && spacedStart > wanted / 2 ? spacedStart : anyStart;
}

/** The last start of a character up to `wanted`, else the first one up to `most`. */
function graphemeStart(window: string, wanted: number, most: number): number | undefined {
  let start: number | undefined;
  for (const { index } of graphemes.segment(window)) {
    if (index > most || (index > wanted && start !== undefined)) break;
    if (index > 0) start = index;
  }
  return start;
}
