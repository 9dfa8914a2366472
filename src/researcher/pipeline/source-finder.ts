import type { CallOwner } from '../../access/caller.js';
import { Forbidden, NotFound, PlatformError } from '../../errors.js';
import type { CredibilityScores } from '../credibility/credibility-scores.js';
import type { WebSearch } from '../search/web-search.js';
import type { ResearchSession } from '../sessions/research-session.entity.js';
import type { SourceHit } from './source-hit.js';

/** Of one query, on the web and in knowledge bases. */
const MOST_PAGES = 10;
const MOST_FILES = 5;
const MOST_PASSAGES = 20;

/** A passage of a knowledge base, as far as sessions need it. */
export interface FoundFile {
  readonly knowledgebaseId: string;
  readonly fileId: string;
  readonly filename: string;
}

/** How knowledge bases are searched and read; each call asks for the rights anew. */
export interface KnowledgeReader {
  /** The files of the best passages, the best first, each once. @throws NotFound for a base that may not be read */
  search(
    owner: CallOwner,
    baseIds: readonly string[],
    request: { readonly query: string; readonly topK: number },
    signal: AbortSignal,
  ): Promise<readonly FoundFile[]>;
  /** What a file says, at most so many UTF-16 units of it; undefined: it is gone, or may not be read. */
  textOf(
    owner: CallOwner,
    file: { readonly knowledgebaseId: string; readonly fileId: string },
    most: number,
  ): Promise<{ readonly text: string; readonly language: string | null } | undefined>;
}

interface SourceFinderParts {
  readonly web: Pick<WebSearch, 'search' | 'hasProvider'>;
  readonly knowledge: KnowledgeReader;
  readonly scores: CredibilityScores | undefined;
  /** @throws Forbidden where whoever began the session may not read its knowledge bases any more */
  readonly requireKnowledge: () => Promise<void>;
}

/** What is looked for. */
export interface SourceQuery {
  readonly query: string;
  /** Whether it rests on what knowledge bases say: it goes to them alone, and to no search provider. */
  readonly isOfBases: boolean;
}

/** What a query has found, and why a part of it could not be asked. */
export interface FoundSources {
  readonly hits: readonly SourceHit[];
  readonly failure: PlatformError | undefined;
}

/** Finds sources for queries. */
export class SourceFinder {
  constructor(private readonly parts: SourceFinderParts) {}

  /**
   * Searches the knowledge bases of a session, and the web where a query may go there. One of both may fail.
   * @throws Forbidden, NotFound where a knowledge base may not be read any more; the reason of the signal
   */
  async find(
    session: ResearchSession,
    owner: CallOwner,
    asked: SourceQuery,
    signal: AbortSignal,
  ): Promise<FoundSources> {
    const { query } = asked;
    const files = await this.findFiles(session, owner, query, signal);
    if (asked.isOfBases || !this.parts.web.hasProvider) return { hits: files, failure: undefined };
    try {
      const { scores } = this.parts;
      const wanted = { query, maxResults: MOST_PAGES, scores, owner: owner.userId, signal };
      const pages = await this.parts.web.search(wanted);
      return { hits: [...files, ...pages.map(toHit)], failure: undefined };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof PlatformError)) throw error;
      return { hits: files, failure: error };
    }
  }

  private async findFiles(
    { knowledgebaseIds }: ResearchSession,
    owner: CallOwner,
    query: string,
    signal: AbortSignal,
  ): Promise<SourceHit[]> {
    if (knowledgebaseIds.length === 0) return [];
    await this.parts.requireKnowledge();
    try {
      const request = { query, topK: MOST_PASSAGES };
      const files = await this.parts.knowledge.search(owner, knowledgebaseIds, request, signal);
      return files.slice(0, MOST_FILES).map(({ knowledgebaseId, fileId, filename }) => ({
        url: `/v1/knowledgebases/${knowledgebaseId}/files/${fileId}`,
        title: filename,
        published_at: null,
        // They are the company's own.
        credibility: 1,
        knowledgebase_id: knowledgebaseId,
        file_id: fileId,
      }));
    } catch (error) {
      if (error instanceof NotFound) throw new Forbidden('A knowledge base of this session may not be read any more.');
      throw error;
    }
  }
}

function toHit({ url, title, publishedAt, credibility }: Awaited<ReturnType<WebSearch['search']>>[number]): SourceHit {
  return {
    url,
    title,
    published_at: publishedAt?.toISOString() ?? null,
    credibility,
    knowledgebase_id: null,
    file_id: null,
  };
}
