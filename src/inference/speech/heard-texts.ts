import type { PromptTransform } from '../calls/request-texts.js';
import type { TextEdit, TextEdits } from '../calls/text-transform.js';

/** Blanks behind a dot: nobody hears them, and texts are cut there into pieces that are spoken one after another. */
const UNHEARD = /((?<=[.\u2024\u3002\uff0e\uff61])\s+)/u;

/** A part of a text. */
interface Part {
  readonly text: string;
  /** `put` was put there by the transform, and is not read again; `unheard` is not read. */
  readonly kind: 'heard' | 'put' | 'unheard';
}

/**
 * A transform that reads each text as it is written, and what is left of it then once more as it is heard: of
 * `ada@example. com` an engine says the address.
 */
export function asHeard(transform: PromptTransform): PromptTransform {
  const editsOf = async (text: string): Promise<TextEdits> => {
    const edits: TextEdits = [];
    await transform.transformPrompt(text, 'text', edits);
    return edits;
  };
  const readHeard = async (text: string): Promise<string> => {
    const parts = text
      .split(UNHEARD)
      .map((part, index): Part => ({ text: part, kind: index % 2 ? 'unheard' : 'heard' }));
    if (parts.length === 1) return text;
    const heard = parts.filter(({ kind }) => kind === 'heard');
    return textOf((await editsOf(textOf(heard))).reduce(edited, parts));
  };
  return {
    checkUnreadable: (direction) => transform.checkUnreadable?.(direction),
    transformPrompt: async (text, format) => {
      if (format !== 'text' || !UNHEARD.test(text)) return transform.transformPrompt(text, format);
      let said = '';
      for (const part of (await editsOf(text)).reduce(edited, [{ text, kind: 'heard' }])) {
        said += part.kind === 'heard' ? await readHeard(part.text) : part.text;
      }
      return said;
    },
  };
}

/** Parts with the edits of a pass over what is read of them: what goes over several parts stands where it began. */
function edited(parts: readonly Part[], edits: readonly TextEdit[]): readonly Part[] {
  const made: Part[] = [];
  let [start, next] = [0, 0];
  for (const part of parts) {
    const isWithinEdit = (edits[next]?.start ?? start) < start;
    if (part.kind === 'unheard') {
      if (!isWithinEdit) made.push(part);
      continue;
    }
    const end = start + part.text.length;
    let at = start;
    for (let edit = edits[next]; edit && edit.start < end; edit = edits[next]) {
      made.push({ ...part, text: part.text.slice(at - start, Math.max(at, edit.start) - start) });
      if (edit.start >= start) made.push({ text: edit.text, kind: 'put' });
      at = Math.min(edit.end, end);
      if (edit.end > end) break;
      next += 1;
    }
    made.push({ ...part, text: part.text.slice(at - start) });
    start = end;
  }
  return made.filter(({ text }) => text !== '');
}

function textOf(parts: readonly Part[]): string {
  return parts.map(({ text }) => text).join('');
}
