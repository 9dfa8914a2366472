import { extname } from 'node:path';
import { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { Gauge } from '../../telemetry/metrics.js';
import { detectLanguage } from '../../text/language.js';
import type { ChildCommand } from '../child/child-command.js';
import { ChildFailed } from '../child/child-failed.js';
import { ChildPool } from '../child/child-pool.js';
import { ExtractionFailed, isFailureReason } from '../extraction-failed.js';
import type { PageForm, ReadPage, WebPage, WebPageTask } from './web-page.types.js';

/** What one page may take. */
const SECONDS = 3;
const MEMORY_MIB = 256;
/** A new child has half as much; what its compiler has learnt of the first pages makes the next ones several times faster. */
const KEPT_MIB = 200;
/** Most are small, and only what is known of the memory of a child tells whether it leaks. */
const TASKS = 1_000;

/** A page as it was fetched. */
export interface PageBytes {
  readonly finalUrl: string;
  /** HTML or plain text; others are read by `Extractor`. */
  readonly mediaType: string;
  /** What the head of the answer says. */
  readonly charset: string | undefined;
  readonly body: Buffer;
}

const COMMAND: ChildCommand = {
  entry: new URL(`../web-page.child${extname(import.meta.url)}`, import.meta.url),
  startsPrograms: false,
};

const KINDS: Readonly<Record<string, WebPageTask['kind']>> = {
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'text/plain': 'text',
};

/** What ends a page that is too much for a tree of its elements, and not for its text. */
const TOO_MUCH = new Set(['timeout', 'out_of_memory', 'failed']);

/** Tells what web pages say, each in a child process with limits of time and memory. Nothing of them is executed or loaded. */
export class WebPageReader {
  /** The children, for metrics and tests. */
  readonly children: ChildPool;

  /** @param options.processes how many pages are read at once; others wait */
  constructor({ processes, log }: { readonly processes: number; readonly log: Logger }) {
    this.children = new ChildPool({
      name: 'web_pages',
      processes,
      seconds: SECONDS,
      memoryMib: MEMORY_MIB,
      keptMib: KEPT_MIB,
      tasks: TASKS,
      log,
    });
  }

  /** Running children and waiting pages. */
  get gauges(): readonly Gauge[] {
    return this.children.gauges;
  }

  /**
   * Reads a page. Of one that is built to exhaust whoever reads it, the text is all there is.
   * @param form what is told of it beside its text
   * @throws ExtractionFailed with a reason: `unsupported` for what is neither HTML nor plain text; the reason of the signal
   */
  async read(page: PageBytes, signal: AbortSignal, form: PageForm = 'text'): Promise<WebPage> {
    const kind = Object.hasOwn(KINDS, page.mediaType) ? KINDS[page.mediaType] : undefined;
    if (kind === undefined) throw new ExtractionFailed('unsupported');
    const read = await this.ask({ url: page.finalUrl, kind, charset: page.charset, form }, page.body, signal).catch(
      (error: unknown) => {
        if (!(error instanceof ChildFailed)) throw error;
        throw new ExtractionFailed(isFailureReason(error.reason) ? error.reason : 'malformed');
      },
    );
    const { language, publishedAt } = read;
    return {
      ...read,
      language: language ?? (await detectLanguage(read.text)) ?? null,
      publishedAt: publishedAt === null ? null : new Date(publishedAt),
    };
  }

  /** Ends all children. */
  close(): void {
    this.children.close();
  }

  private async ask(page: Omit<WebPageTask, 'isPlain'>, body: Buffer, signal: AbortSignal): Promise<ReadPage> {
    const isTooMuch = (error: unknown): boolean =>
      error instanceof ChildFailed && page.kind === 'html' && TOO_MUCH.has(error.reason);
    const whole = { ...page, isPlain: false };
    try {
      return await this.askOnce(whole, body, signal).catch((error: unknown) => {
        // It may have been what an earlier page has left in the child.
        if (isTooMuch(error) && (error as ChildFailed).reason === 'out_of_memory')
          return this.askOnce(whole, body, signal);
        throw error;
      });
    } catch (error) {
      if (!isTooMuch(error)) throw error;
      return this.askOnce({ ...page, isPlain: true }, body, signal);
    }
  }

  private async askOnce(task: WebPageTask, body: Buffer, signal: AbortSignal): Promise<ReadPage> {
    const input = Readable.from([body], { objectMode: false });
    let read: ReadPage | undefined;
    // To its end, since a child whose answers are left is ended.
    for await (const page of this.children.run(COMMAND, { task, input, signal })) read = page as ReadPage;
    if (!read) throw new ChildFailed('failed');
    return read;
  }
}
