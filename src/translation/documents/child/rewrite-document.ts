import { orNotStarted } from '../../../platform/extraction/child/not-started.js';
import type { TaskHandler } from '../../../platform/extraction/child/serve.js';
import { ExtractionFailed } from '../../../platform/extraction/extraction-failed.js';
import type { InlineText } from '../../units/inline-text.js';
import type { DocumentEdit, DocumentFormat, DocumentKind, Replacement } from '../formats/document-format.js';
import type { ReplacementLine, RewritingTask } from './rewriting.types.js';
import { TaskInput } from './task-input.js';

/** Loaded when they are needed. */
const FORMATS: Readonly<Record<DocumentKind, () => Promise<DocumentFormat>>> = {
  docx: async () => (await import('../office/office.js')).docx,
  pptx: async () => (await import('../office/office.js')).pptx,
  xlsx: async () => (await import('../office/office.js')).xlsx,
  html: async () => (await import('../formats/html.js')).html,
  markdown: async () => (await import('../markdown/markdown.js')).markdown,
  text: async () => (await import('../formats/plain-text.js')).plainTextFormat,
  srt: async () => (await import('../formats/subtitles.js')).srt,
  vtt: async () => (await import('../formats/subtitles.js')).vtt,
  json: async () => (await import('../formats/json.js')).json,
  po: async () => (await import('../po/po.js')).po,
  xliff: async () => (await import('../resources/xliff.js')).xliff,
  android: async () => (await import('../resources/android-strings.js')).androidStrings,
  strings: async () => (await import('../resources/apple-strings.js')).appleStrings,
  arb: async () => (await import('../resources/arb.js')).arb,
  properties: async () => (await import('../resources/properties.js')).properties,
};

/** So much is answered at once. */
const ANSWER_CHARACTERS = 64 * 1024;
const ANSWER_BYTES = 256 * 1024;

/** One unit is a frame at most. */
const UNIT_CHARACTERS = 1024 * 1024;

/** Does one task of the child: tells the units of a file, or writes it anew with others. @throws ExtractionFailed */
export const rewriteDocument: TaskHandler = async (task, input, emit) => {
  const { kind, sizeBytes, targetLanguage, isWriting } = task as RewritingTask;
  const format = await orNotStarted(FORMATS[kind]());
  const source = new TaskInput(input);
  const file = await source.bytes(sizeBytes);
  let warnings = 0;
  const units = new UnitSink(emit);
  const replace = isWriting ? async () => toReplacement(await source.line()) : units.add;
  const edit: DocumentEdit = { targetLanguage, isWriting, replace, warn: () => void (warnings += 1) };
  const bytes = new ByteSink(emit);
  for await (const chunk of format(file, edit)) if (isWriting) await bytes.add(chunk);
  await units.flush();
  await bytes.flush();
  await emit({ warnings });
};

function toReplacement(line: string): Replacement | undefined {
  const [text, isTrusted = true] = JSON.parse(line) as ReplacementLine;
  return text && { text, isTrusted };
}

class UnitSink {
  private readonly emit: (value: unknown) => Promise<void>;
  private units: InlineText[] = [];
  private size = 0;

  constructor(emit: (value: unknown) => Promise<void>) {
    this.emit = emit;
  }

  /** None is replaced. */
  readonly add = async (unit: InlineText): Promise<undefined> => {
    const size = unit.reduce(
      (sum, part) => sum + (part.kind === 'text' ? part.text.length + (part.context?.length ?? 0) : 30),
      100,
    );
    if (size > UNIT_CHARACTERS) throw new ExtractionFailed('too_large');
    this.units.push(unit);
    this.size += size;
    if (this.size > ANSWER_CHARACTERS) await this.flush();
  };

  async flush(): Promise<void> {
    if (this.units.length > 0) await this.emit({ units: this.units });
    this.units = [];
    this.size = 0;
  }
}

class ByteSink {
  private readonly emit: (value: unknown) => Promise<void>;
  private chunks: Uint8Array[] = [];
  private size = 0;

  constructor(emit: (value: unknown) => Promise<void>) {
    this.emit = emit;
  }

  async add(chunk: Uint8Array): Promise<void> {
    for (let start = 0; start < chunk.length; start += ANSWER_BYTES) {
      const slice = chunk.subarray(start, start + ANSWER_BYTES);
      this.chunks.push(slice);
      this.size += slice.length;
      if (this.size >= ANSWER_BYTES) await this.flush();
    }
  }

  async flush(): Promise<void> {
    if (this.size > 0) await this.emit({ bytes: Buffer.concat(this.chunks).toString('base64') });
    this.chunks = [];
    this.size = 0;
  }
}
