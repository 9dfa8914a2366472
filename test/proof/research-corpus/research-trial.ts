import { addApiToken, addStaffedTenant } from '../../support/builders/accounts.js';
import type { AnyJson } from '../../support/probes/any-json.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';
import { ResearchProbe } from '../../support/probes/research-probe.js';
import type { CorpusWeb } from './corpus-web.js';
import type { Mirror } from './mirrors.js';
import { says } from './questions.js';
import type { CorpusQuestion } from './questions.js';

/** What a page says. */
export interface Statement {
  readonly text: string;
  readonly url: string;
}

/** What a session has come to. */
export interface Researched {
  /** Sentences of its report. */
  readonly sentences: number;
  /** Of these, those with a citation. */
  readonly cited: number;
  readonly citations: number;
  /** What is not proven, a sentence each. */
  readonly problems: readonly string[];
  /** Contradictions that it tells, each by all of its statements. */
  readonly contradictions: readonly (readonly Statement[])[];
}

/** What became of a question. */
export interface Asked extends Researched {
  readonly question: CorpusQuestion;
  readonly depth: number;
  /** Whether the report says the answer. */
  readonly isCovered: boolean;
  /** Whether a page that answers it was read. */
  readonly isRead: boolean;
}

/** What became of the question about a mirror. */
export interface AskedMirror extends Researched {
  readonly mirror: Mirror;
  /** Whether a contradiction tells what both pages say. */
  readonly isFound: boolean;
}

/** A server that researches the web of the corpus with its builtin model. */
export class ResearchTrial {
  private constructor(
    private readonly web: CorpusWeb,
    private readonly platform: Platform,
    private readonly probe: ResearchProbe,
  ) {}

  static async start(web: CorpusWeb): Promise<ResearchTrial> {
    const platform = await startPlatform({ RATE_LIMIT_REQUESTS_PER_MINUTE: '0', ...web.env });
    const { user } = await addStaffedTenant(platform);
    // It may take longer than an access token is valid.
    const { token } = await addApiToken(platform, user.token);
    return new ResearchTrial(web, platform, new ResearchProbe(platform, token));
  }

  /** Asks a question of the corpus. */
  async ask(question: CorpusQuestion, depth: number): Promise<Asked> {
    const { session, ...researched } = await this.research(question.question, depth);
    const texts = (session.report.sentences as AnyJson[]).map(({ text }) => text as string);
    const pages = new Set(question.pages.map((path) => this.web.urlOf(path)));
    const isRead = (session.sources as AnyJson[]).some(({ status, url }) => status === 'read' && pages.has(url));
    return { ...researched, question, depth, isRead, isCovered: texts.some((text) => says(text, question.answer)) };
  }

  /** Asks for a fact that a mirror tells otherwise. */
  async askMirror(mirror: Mirror): Promise<AskedMirror> {
    const { session: _, ...researched } = await this.research(mirror.question, 1);
    return { ...researched, mirror, isFound: researched.contradictions.some((one) => this.isOf(one, mirror)) };
  }

  /** Whether a contradiction tells what a page says, and what its mirror makes of it. */
  isOf(statements: readonly Statement[], { page, words, changed }: Mirror): boolean {
    const tells = (where: string, what: string) =>
      statements.some(({ text, url }) => url === where && says(text, what));
    return tells(this.web.urlOf(page), words) && tells(this.web.mirrorUrlOf(page), changed);
  }

  close(): Promise<void> {
    return this.platform.close();
  }

  private async research(question: string, depth: number): Promise<Researched & { session: AnyJson }> {
    const session = await this.probe.research({ question, depth });
    if (session.status !== 'completed') throw new Error(`${question} ${session.status}: ${session.error}`);
    const { report } = session;
    const sentences = report.sentences as AnyJson[];
    return {
      session,
      sentences: sentences.length,
      cited: sentences.filter(({ citations }) => citations.length > 0).length,
      citations: report.citations.length,
      problems: (await this.problemsOf(session)).map((problem) => `${question} ${problem}`),
      contradictions: statementsOf(session),
    };
  }

  /** Quotes that do not stand where they are said to, and sentences that are not those of their quotes. */
  private async problemsOf({ id, report }: AnyJson): Promise<string[]> {
    const citations = report.citations as AnyJson[];
    const texts = new Map<string, string>();
    for (const sourceId of new Set(citations.map(({ source_id: one }) => one as string))) {
      texts.set(sourceId, await this.probe.textOf(id, sourceId));
    }
    const misplaced = citations.filter(
      ({ source_id: source, quote, start, end }) => texts.get(source)?.slice(start, end) !== quote || quote === '',
    );
    const unproven = (report.sentences as AnyJson[]).filter(({ text, citations: marks }) => {
      const quotes = citations.filter(({ index }) => marks.includes(index)).map(({ quote }) => plainOf(quote));
      return !quotes.some((quote) => quote.includes(plainOf(text)));
    });
    return [
      ...misplaced.map(({ quote }) => `This quote does not stand in its source: ${quote}`),
      ...unproven.map(({ text }) => `This sentence does not stand in its quotes: ${text}`),
    ];
  }
}

function statementsOf({ report, sources }: AnyJson): Statement[][] {
  const urls = new Map((sources as AnyJson[]).map(({ id, url }) => [id as string, url as string]));
  return (report.contradictions as AnyJson[]).map(({ sides }) =>
    (sides as AnyJson[]).flatMap(({ statements }) =>
      (statements as AnyJson[]).map(({ text, source_id: id }) => ({ text, url: urls.get(id) ?? '' })),
    ),
  );
}

function plainOf(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
