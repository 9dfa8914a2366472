import { setTimeout as sleep } from 'node:timers/promises';
import { KnowledgeProbe } from '../../support/builders/knowledge.js';
import type { Platform } from '../../support/servers/platform.js';
import type { AnyJson } from '../../support/probes/any-json.js';
import { lettersOf } from './postgres-manual.js';
import type { ManualPage } from './postgres-manual.js';
import type { SplitQuestion } from './questions.js';
import { rankOf, TOP_K } from './ranks.js';
import type { Rank } from './ranks.js';

/** The ways to search that are compared. */
export const MODES = ['keyword', 'vector', 'hybrid'] as const;
/** One of them. */
export type Mode = (typeof MODES)[number];

/** What came of a question. */
export interface Asked {
  readonly question: SplitQuestion;
  readonly ranks: Readonly<Record<Mode, Rank>>;
  /** Milliseconds from the request to its answer. */
  readonly times: Readonly<Record<Mode, number>>;
}

/** As many as one request may send. */
const FILES_AT_ONCE = 20;
const PAUSE_MS = 500;
const MOST_PROBLEMS = 10;

/** A knowledge base with all pages of a manual, which is asked questions. */
export class RetrievalTrial {
  private constructor(
    private readonly platform: Platform,
    private readonly probe: KnowledgeProbe,
    private readonly pages: readonly ManualPage[],
  ) {}

  static async create(platform: Platform, pages: readonly ManualPage[]): Promise<RetrievalTrial> {
    const { access_token: token } = await platform.login();
    return new RetrievalTrial(platform, await KnowledgeProbe.create(platform, token), pages);
  }

  /** Sends all pages, and waits until each is ready or has failed. @returns after how many seconds */
  async index(): Promise<number> {
    const began = performance.now();
    for (let first = 0; first < this.pages.length; first += FILES_AT_ONCE) {
      const some = this.pages.slice(first, first + FILES_AT_ONCE);
      const { status, body } = await this.probe.send(
        Object.fromEntries(some.map(({ filename, html }) => [filename, html])),
      );
      if (status !== 202) throw new Error(`Not taken: ${JSON.stringify(body)}`);
    }
    while ((await this.hasFiles('queued')) || (await this.hasFiles('processing'))) await sleep(PAUSE_MS);
    return (performance.now() - began) / 1_000;
  }

  /** Asks a question in each mode. */
  async ask(question: SplitQuestion): Promise<Asked> {
    const [ranks, times] = [{} as Record<Mode, Rank>, {} as Record<Mode, number>];
    for (const mode of MODES) {
      const began = performance.now();
      const found = await this.probe.query(question.question, { mode, top_k: TOP_K });
      times[mode] = performance.now() - began;
      const filenames = found.map(({ filename }) => filename as string);
      ranks[mode] = rankOf(filenames, (filename) => filename in question.answers);
    }
    return { question, ranks, times };
  }

  /** What is wrong with the files: failed ones, and chunks that say what does not stand on their page. */
  async problems(): Promise<{ chunks: number; problems: string[] }> {
    const { body } = await this.probe.request('GET', `/files?status=failed&limit=${MOST_PROBLEMS}`);
    const failed = (body.data as AnyJson[]).map(({ filename, error }) => `${filename} has failed: ${error}`);
    const chunks = await this.platform.query<{ filename: string; text: string }>(
      'SELECT f.filename, c.text FROM knowledge_chunks c JOIN knowledge_files f ON f.id = c.file_id',
    );
    const letters = new Map(this.pages.map((page) => [page.filename, page.letters]));
    const foreign = chunks.filter(({ filename, text }) => !standsIn(text, letters.get(filename) ?? ''));
    const said = foreign.slice(0, MOST_PROBLEMS).map(({ filename, text }) => `${filename} does not say: ${text}`);
    return { chunks: chunks.length, problems: [...failed, ...said] };
  }

  private async hasFiles(status: string): Promise<boolean> {
    const { body } = await this.probe.request('GET', `/files?status=${status}&limit=1`);
    return (body.data as AnyJson[]).length > 0;
  }
}

/** A chunk may repeat the header of a table, so its lines stand on the page, but not all of them in one piece. */
function standsIn(text: string, letters: string): boolean {
  return text.split('\n').every((line) => letters.includes(lettersOf(line)));
}
