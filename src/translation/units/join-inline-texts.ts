import type { InlinePart, InlineText } from './inline-text.js';

/** Joins inline texts, so that no text part is empty or stands beside another. */
export function joinInlineTexts(texts: Iterable<InlineText>): InlineText {
  const joined: InlinePart[] = [];
  for (const text of texts) {
    for (const part of text) {
      const last = joined.at(-1);
      if (part.kind !== 'text') joined.push(part);
      else if (last?.kind === 'text') joined[joined.length - 1] = { kind: 'text', text: last.text + part.text };
      else if (part.text !== '') joined.push(part);
    }
  }
  return joined;
}
