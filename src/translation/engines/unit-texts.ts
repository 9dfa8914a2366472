import type { TextTransform } from '../../inference/domain.js';
import { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import type { InlinePart, InlineText } from '../units/inline-text.js';
import { joinInlineTexts } from '../units/join-inline-texts.js';

/**
 * Changes the texts of one translation as the transforms of calls have them: those that an engine is to read, and those
 * that the caller gets. A unit is looked at as one text, since what is to be found may go over several parts of it.
 */
export class UnitTexts {
  private readonly cooperation: CooperativeYield;

  /** @param transform undefined: nothing is changed */
  constructor(
    private readonly transform: TextTransform | undefined,
    signal: AbortSignal,
  ) {
    this.cooperation = new CooperativeYield(signal);
  }

  /** Other requests have their turn, where it is due. */
  async breathe(): Promise<void> {
    if (this.cooperation.isDue) await this.cooperation.yield();
  }

  /** Does steps to their end; other requests have their turn between them. */
  finish<Result>(steps: Generator<void, Result>): Promise<Result> {
    return this.cooperation.finish(steps);
  }

  /** What an engine may read of a text. @throws PlatformError of the transform */
  async toReadable(text: string): Promise<string> {
    return this.transform && text !== '' ? await this.transform.transformPrompt(text, 'text') : text;
  }

  /** What an engine may read of a unit. @throws PlatformError of the transform */
  async toReadableUnit(unit: InlineText): Promise<InlineText> {
    if (!this.transform) return unit;
    await this.breathe();
    return changed(unit, (text) => this.toReadable(text));
  }

  /** What the caller gets of a translated unit. @throws PlatformError of the transform */
  async toAnswer(unit: InlineText): Promise<InlineText> {
    const { transform } = this;
    if (!transform) return unit;
    await this.breathe();
    return changed(unit, async (text) => {
      const answer = transform.beginAnswer('text');
      return answer.write(text) + answer.end();
    });
  }
}

/** A unit whose characters, read as one text, have become others; its marks stay. */
async function changed(unit: InlineText, change: (text: string) => Promise<string>): Promise<InlineText> {
  const text = unit.map((part) => (part.kind === 'text' ? part.text : '')).join('');
  const after = await change(text);
  if (after === text) return unit;
  const isWhole = unit.length === 1 && unit[0]?.kind === 'text';
  return isWhole ? [{ kind: 'text', text: after }] : replaced(unit, text, after);
}

/**
 * Puts a changed text into the parts of the old one: what is equal at both ends stays where it is, and all that lies
 * between goes where it began.
 */
function replaced(unit: InlineText, text: string, after: string): InlineText {
  const most = Math.min(text.length, after.length);
  let start = 0;
  while (start < most && text[start] === after[start]) start += 1;
  let kept = 0;
  while (kept < most - start && text.at(-1 - kept) === after.at(-1 - kept)) kept += 1;
  const end = text.length - kept;
  const middle = after.slice(start, after.length - kept);
  let at = 0;
  let isPlaced = false;
  const parts = unit.map((part): InlinePart => {
    if (part.kind !== 'text') return part;
    const [from, to] = [at, at + part.text.length];
    at = to;
    const before = part.text.slice(0, Math.max(0, Math.min(to, start) - from));
    const behind = part.text.slice(Math.max(0, Math.min(part.text.length, end - from)));
    const takesMiddle = !isPlaced && start < to;
    isPlaced ||= takesMiddle;
    return { kind: 'text', text: before + (takesMiddle ? middle : '') + behind };
  });
  // What was added stands at the end.
  return joinInlineTexts(isPlaced ? [parts] : [parts, [{ kind: 'text', text: middle }]]);
}
