/** Control characters but tabs and line breaks. */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;

/**
 * Characters without a shape that can carry a text which nobody sees, or turn the order of one: soft hyphens, spaces
 * without width, marks of direction, tags, and the variants that no letter has.
 */
const UNSEEN = /[\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/gu;

/** A text of a page as it may be kept: what has no shape is gone. */
export function cleanText(text: string): string {
  return text.replace(CONTROLS, ' ').replace(UNSEEN, '').toWellFormed();
}

/** What is cleaned in one step, in UTF-16 units: a millisecond or so. */
const STEP = 16_384;

/** Does what `cleanText` does, in steps between which others have their turn. */
export function* cleanTextSteps(text: string): Generator<void, string> {
  const clean: string[] = [];
  for (let start = 0; start < text.length;) {
    const piece = cutText(text.slice(start, start + STEP + 1), STEP);
    clean.push(cleanText(piece));
    start += piece.length;
    yield;
  }
  return clean.join('');
}

/** A short text on one line, cut to so many UTF-16 units. */
export function lineOf(text: string | null | undefined, most: number): string {
  return cutText(
    cleanText((text ?? '').slice(0, 4 * most))
      .replace(/\s+/g, ' ')
      .trim(),
    most,
  );
}

/** The beginning of a text, not cut between the halves of a pair. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = /[\ud800-\udbff]/.test(text[most - 1] as string) ? most - 1 : most;
  return text.slice(0, end);
}
