import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { MEBIBYTE } from '../config/variables.js';
import type { CheckState } from '../telemetry/health.js';
import type { Gauge } from '../telemetry/metrics.js';
import { ChildFailed } from './child/child-failed.js';
import { ChildPool } from './child/child-pool.js';
import type { ChildCommand } from './child/child-command.js';
import type { ExtractionConfig } from './config.js';
import { ExtractionFailed, isFailureReason } from './extraction-failed.js';
import type { ExtractedPage, ExtractionTask, FileKind, OcrPrograms } from './extraction.types.js';
import { findOcrPrograms } from './ocr-programs.js';

/** How one file is read. */
export interface ExtractOptions {
  readonly kind: FileKind;
  /** Ends it, and its child, at once. */
  readonly signal: AbortSignal;
  /** How long its child may work on it, where that is less than `EXTRACTION_SECONDS`; waiting for a child is no work. */
  readonly seconds?: number;
}

const ENTRY = new URL(`./extraction.child${extname(import.meta.url)}`, import.meta.url);

/** A file that is read as a whole may take this part of a child's memory: its library has a copy of it for a while. */
const WHOLE_FILE_SHARE = 3;

/** The formats whose pages may be scans. */
const SCANS: ReadonlySet<FileKind> = new Set(['pdf', 'image']);

/** Turns files into text with structure, each in a child process with limits of time and memory. */
export class Extractor {
  /** Files that may be scans have children that may start programs, where these are installed; others have not. */
  private readonly plainChild: ChildCommand = { entry: ENTRY, startsPrograms: false };
  private readonly ocrChild: ChildCommand = { entry: ENTRY, startsPrograms: true };

  private constructor(
    /** The children, for metrics and tests. */
    readonly children: ChildPool,
    private readonly wholeFileBytes: number,
    /** Undefined: scans and images are not read. */
    readonly ocr: OcrPrograms | undefined,
    private readonly isOcrExpected: boolean,
  ) {}

  /** Looks which programs there are; children are started when they are needed. */
  static async open(config: ExtractionConfig, log: Logger): Promise<Extractor> {
    const ocr = await findOcrPrograms(config.extractionOcrLanguages);
    const children = new ChildPool({
      name: 'extraction',
      processes: config.extractionProcesses,
      seconds: config.extractionSeconds,
      memoryMib: config.extractionMemoryMib,
      log,
    });
    return new Extractor(
      children,
      (config.extractionMemoryMib * MEBIBYTE) / WHOLE_FILE_SHARE,
      ocr,
      config.extractionOcrLanguages !== undefined,
    );
  }

  /** Running children and waiting files. */
  get gauges(): readonly Gauge[] {
    return this.children.gauges;
  }

  /** `off` where no program for OCR is installed, `degraded` where images can be read but scanned PDF files cannot; `down`
   * where languages were asked for and are not there. */
  readonly check = (): CheckState => {
    if (this.ocr) return this.ocr.pdftoppm ? 'ok' : 'degraded';
    return this.isOcrExpected ? 'down' : 'off';
  };

  /**
   * Reads a file. It waits for a free child; then its pages come as they are ready, and the child goes on only as far as
   * they are read. Leaving the loop ends the child.
   * @param file a path, or a stream of its bytes, which is destroyed in any case
   * @param options.kind as `detectType` has told it; a file that is something else is `malformed` or `unsupported`
   * @throws ExtractionFailed with a reason, also behind pages that could be read; the reason of the signal; what the
   * stream throws
   */
  async *extract(
    file: string | Readable,
    { kind, signal, seconds }: ExtractOptions,
  ): AsyncGenerator<ExtractedPage, void, undefined> {
    const ocr = SCANS.has(kind) ? this.ocr : undefined;
    const task: ExtractionTask = { kind, wholeFileBytes: this.wholeFileBytes, ocr };
    const input = typeof file === 'string' ? createReadStream(file, { highWaterMark: MEBIBYTE }) : file;
    try {
      for await (const page of this.children.run(ocr ? this.ocrChild : this.plainChild, {
        task,
        input,
        signal,
        seconds,
      })) {
        yield page as ExtractedPage;
      }
    } catch (error) {
      if (!(error instanceof ChildFailed)) throw error;
      throw new ExtractionFailed(isFailureReason(error.reason) ? error.reason : 'malformed');
    }
  }

  /** Ends all children. */
  close(): void {
    this.children.close();
  }
}
