import { ExtractionFailed } from '../../../platform/extraction/extraction-failed.js';
import { ElementContent, placedTokens } from './xml-texts.js';
import type { PlacedToken } from './xml-texts.js';

/** An element with what it holds. */
interface ReadElement {
  readonly open: PlacedToken;
  readonly content: readonly PlacedToken[];
  /** Behind its closing tag. */
  readonly end: number;
}

/** A source that is to be translated. */
export interface XliffSegment {
  readonly kind: 'segment';
  readonly version: 1 | 2;
  /** The opening tag of the `trans-unit` or `segment`. */
  readonly element: PlacedToken;
  readonly source: ReadElement;
  readonly target: ReadElement | undefined;
  /** Where a target belongs that is not there yet. */
  readonly insertAt: number;
}

/** A tag that says which language targets are in. */
interface LanguageTagPlace {
  readonly kind: 'language';
  readonly tag: PlacedToken;
  readonly attribute: 'target-language' | 'trgLang';
}

interface OpenElement {
  readonly name: string;
  readonly isTranslated: boolean;
}

interface OpenSegment {
  readonly element: PlacedToken;
  readonly depth: number;
  readonly isTranslated: boolean;
  source?: ReadElement;
  target?: ReadElement;
  insertAt: number;
}

/** States of targets that somebody has still to work at. */
const UNFINISHED = /^(?:new|initial|needs-)/;

/** Reads what is to be translated of an XLIFF file, in the order of the file. */
export class XliffReader {
  private readonly text: string;
  private readonly targetLanguage: string;
  private readonly open: OpenElement[] = [];
  private version: 1 | 2 = 1;
  private isOfTarget = false;
  private segment: OpenSegment | undefined;
  private reading: { readonly open: PlacedToken; readonly content: ElementContent } | undefined;

  constructor(text: string, targetLanguage: string) {
    this.text = text;
    this.targetLanguage = targetLanguage;
  }

  /** @throws ExtractionFailed malformed or bomb */
  *read(): Generator<XliffSegment | LanguageTagPlace, void, undefined> {
    for (const token of placedTokens(this.text)) {
      if (this.reading) this.goOn(token);
      else if (token.kind === 'open') yield* this.begin(token);
      else if (token.kind === 'close') yield* this.end();
    }
  }

  private *begin(token: PlacedToken): Generator<LanguageTagPlace, void, undefined> {
    const { name, attributes } = token;
    if (this.open.length === 0) {
      if (name !== 'xliff') throw new ExtractionFailed('malformed');
      this.version = attributes['version']?.startsWith('2') ? 2 : 1;
    }
    const attribute = this.version === 2 ? 'trgLang' : 'target-language';
    if (name === (this.version === 2 ? 'xliff' : 'file')) {
      this.isOfTarget = attributes[attribute]?.toLowerCase() === this.targetLanguage.toLowerCase();
      yield { kind: 'language', tag: token, attribute };
    }
    const { segment } = this;
    if (
      segment &&
      segment.depth === this.open.length &&
      (name === 'source' || name === 'seg-source' || name === 'target')
    ) {
      this.reading = { open: token, content: new ElementContent() };
      return;
    }
    const { translate } = attributes;
    const isTranslated = translate === undefined ? (this.open.at(-1)?.isTranslated ?? true) : translate !== 'no';
    this.open.push({ name, isTranslated });
    if (name === (this.version === 2 ? 'segment' : 'trans-unit'))
      this.segment = { element: token, depth: this.open.length, isTranslated, insertAt: 0 };
  }

  /** A token of a source or target. */
  private goOn(token: PlacedToken): void {
    const { reading, segment } = this;
    if (!reading?.content.add(token) || !segment) return;
    const element = { open: reading.open, content: reading.content.tokens, end: token.end };
    if (reading.open.name === 'source') segment.source = element;
    if (reading.open.name === 'target') segment.target = element;
    else segment.insertAt = token.end;
    this.reading = undefined;
  }

  private *end(): Generator<XliffSegment, void, undefined> {
    const { segment } = this;
    if (segment?.depth === this.open.length) {
      this.segment = undefined;
      const { element, source, target, insertAt, isTranslated } = segment;
      const isEmpty = source?.content.every(({ raw }) => raw.trim() === '') ?? true;
      if (source && !isEmpty && isTranslated && !this.isFinal(segment))
        yield { kind: 'segment', version: this.version, element, source, target, insertAt };
    }
    this.open.pop();
  }

  private isFinal({ element, target }: OpenSegment): boolean {
    const state = target?.open.attributes['state'] ?? element.attributes['state'] ?? '';
    const hasText = target?.content.some(({ raw }) => raw.trim() !== '') ?? false;
    return this.isOfTarget && hasText && !UNFINISHED.test(state);
  }
}
