import { extname } from 'node:path';
import { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { MEBIBYTE } from '../../platform/config/variables.js';
import { ChildFailed } from '../../platform/extraction/child/child-failed.js';
import { ChildPool } from '../../platform/extraction/child/child-pool.js';
import type { ChildCommand } from '../../platform/extraction/child/child-command.js';
import type { ChildLimits } from '../../platform/extraction/child/work-child.js';
import type { WorkTurn } from '../../platform/extraction/child/work-turns.js';
import { ExtractionFailed, isFailureReason } from '../../platform/extraction/extraction-failed.js';
import type { Gauge } from '../../platform/telemetry/metrics.js';
import type { InlineText } from '../units/inline-text.js';
import type { ReplacementLine, RewritingAnswer, RewritingTask } from './child/rewriting.types.js';
import type { DocumentKind } from './formats/document-format.js';

/** A document that is read or written. */
export interface RewrittenDocument {
  readonly kind: DocumentKind;
  /** BCP 47. */
  readonly targetLanguage: string;
  readonly sizeBytes: number;
  /** Its bytes; destroyed in any case. */
  readonly bytes: Readable;
  /** Whose it is: of one tenant there is one less at once than children. Absent: it waits for none but a child. */
  readonly tenantId?: string;
}

interface DocumentRewriterOptions extends ChildLimits {
  /** How many documents are read or written at once; others wait. */
  readonly processes: number;
  readonly log: Logger;
}

/** A file is kept as a whole; so much of a child's memory it may be. */
const WHOLE_FILE_SHARE = 4;

/** How long a child may work at a file where its limit is not less: so many seconds, and so many for each MiB of it. */
const SECONDS = { least: 20, mebibyte: 10 };

const COMMAND: ChildCommand = {
  entry: new URL(`./document.child${extname(import.meta.url)}`, import.meta.url),
  // What reads files and web pages lies in other rooms; nothing but code is there.
  reads: [new URL('../../', import.meta.url)],
  startsPrograms: false,
};

/** Reads the units of documents and writes documents with others, each in a child process with limits of time and memory. */
export class DocumentRewriter {
  /** The children, for metrics and tests. */
  readonly children: ChildPool;

  constructor(private readonly options: DocumentRewriterOptions) {
    this.children = new ChildPool({ name: 'translated_documents', ...options, isFair: true });
  }

  /** Running children and waiting documents. */
  get gauges(): readonly Gauge[] {
    return this.children.gauges;
  }

  /** The largest document, in bytes. */
  get maxBytes(): number {
    return Math.floor((this.options.memoryMib * MEBIBYTE) / WHOLE_FILE_SHARE);
  }

  /**
   * The units of a document, in an order that is the same each time, some at once.
   * @throws ExtractionFailed with the reason, the reason of the signal, or what the bytes throw
   */
  async *read(
    document: RewrittenDocument,
    signal: AbortSignal,
  ): AsyncGenerator<readonly InlineText[], void, undefined> {
    for await (const { units } of this.run(document, signal)) if (units) yield units;
  }

  /**
   * Writes a document with other units.
   * @param replacements one for each unit, in their order, some at once
   * @param onWarnings told at the end how many could not be put in
   * @throws as `read` does, and what the replacements throw
   */
  async *write(
    document: RewrittenDocument,
    replacements: AsyncIterable<readonly ReplacementLine[]>,
    signal: AbortSignal,
    onWarnings: (count: number) => void,
  ): AsyncGenerator<Buffer, void, undefined> {
    for await (const { bytes, warnings } of this.run(document, signal, replacements)) {
      if (bytes !== undefined) yield Buffer.from(bytes, 'base64');
      if (warnings !== undefined) onWarnings(warnings);
    }
  }

  /** Ends all children. */
  close(): void {
    this.children.close();
  }

  private async *run(
    { kind, targetLanguage, sizeBytes, bytes, tenantId }: RewrittenDocument,
    signal: AbortSignal,
    replacements?: AsyncIterable<readonly ReplacementLine[]>,
  ): AsyncGenerator<RewritingAnswer, void, undefined> {
    if (sizeBytes > this.maxBytes) {
      bytes.destroy();
      throw new ExtractionFailed('too_large');
    }
    const task: RewritingTask = { kind, targetLanguage, sizeBytes, isWriting: replacements !== undefined };
    const input = replacements ? Readable.from(joined(bytes, replacements), { objectMode: false }) : bytes;
    const seconds = Math.min(this.options.seconds, SECONDS.least + Math.ceil(sizeBytes / MEBIBYTE) * SECONDS.mebibyte);
    // Those of one user leave a child to others: here all users of a tenant are one.
    const turn: WorkTurn | undefined =
      tenantId === undefined ? undefined : { tenantId, userId: tenantId, kind: 'request' };
    try {
      yield* this.children.run(COMMAND, { task, input, signal, seconds, turn }) as AsyncGenerator<RewritingAnswer>;
    } catch (error) {
      if (!(error instanceof ChildFailed)) throw error;
      throw new ExtractionFailed(isFailureReason(error.reason) ? error.reason : 'malformed');
    } finally {
      bytes.destroy();
    }
  }
}

/** The file, and a line for each replacement behind it. */
async function* joined(
  bytes: Readable,
  replacements: AsyncIterable<readonly ReplacementLine[]>,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield* bytes as AsyncIterable<Uint8Array>;
  for await (const lines of replacements) {
    if (lines.length > 0) yield Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  }
}
