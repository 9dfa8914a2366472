import type { CallContext, Models } from '../../inference/domain.js';
import type { CallOwner } from '../../access/caller.js';
import { BadRequest, Conflict, NotFound } from '../../errors.js';
import { BUILTIN_EMBEDDING_MODEL } from '../config.js';
import { CallerPlaces } from '../../platform/async/caller-places.js';
import { isUndefinedTable } from '../../platform/database/postgres-errors.js';
import { isId } from '../../platform/ids.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { requireComparable, vectorsOf } from '../ingest/embedder.js';
import { joinPassages } from './joined-passages.js';
import { fuseRankings } from './rank-fusion.js';
import type { Ranked } from './rank-fusion.js';
import type { PassageQueries, Reader, SearchedIndex, SearchScope } from './passage-queries.js';
import type { Question, RankedPassage } from './question.js';
import type { Reranker } from './reranker.js';
import type { SearchMode } from './search.types.js';

const MAX_QUERY_CHARACTERS = 10_000;
const MAX_BASES = 20;
const DEFAULT_TOP_K = 8;
const MAX_TOP_K = 100;
/** What a reranker is asked about, at least. */
const RERANKED = 50;
/** Passages of a file are longer than this on average, in UTF-16 units. */
const LEAST_PASSAGE = 100;
/** How often it is searched anew where an index has taken the place of another meanwhile. */
const ATTEMPTS = 3;
/** Each way to search finds more than is wanted, so that what both find comes up. */
const CANDIDATES = { least: 50, times: 3 };

/** The builtin model's vectors know words alone, as keywords do, but not how rare they are. */
const WEIGHT_OF_HASHES = 1 / 3;

interface KnowledgeSearchParts {
  readonly queries: PassageQueries;
  readonly models: Pick<Models, 'embed'>;
  /** Puts what is found into another order; undefined: it stays as it is. */
  readonly reranker?: Reranker | undefined;
  /** Whether the database has vectors. */
  readonly hasVectors: boolean;
}

/** What is looked for. */
export interface SearchRequest {
  readonly query: string;
  readonly topK?: number | null;
  readonly mode?: SearchMode | null;
  /** What scores less is left out. */
  readonly minScore?: number | null;
  /** Members that the metadata of files must have. */
  readonly filter?: JsonObject | null;
}

/** Searches of one user that are done at once, and that wait for that. */
const AT_ONCE_FOR_USER = 4;
const WAITING_FOR_USER = 40;

/** Finds passages in knowledge bases. */
export class KnowledgeSearch {
  /** By user alone: its statements have places of their own, and who waits for a silent model holds nobody else up. */
  private readonly places = new CallerPlaces({
    name: 'searches of knowledge bases',
    perUser: AT_ONCE_FOR_USER,
    waiting: WAITING_FOR_USER,
  });

  constructor(private readonly parts: KnowledgeSearchParts) {}

  /**
   * Finds the passages that fit a query best.
   * @throws BadRequest that names the field; NotFound where a base is none that the caller may read; Conflict
   * `capability_not_supported` where vectors are asked for and the database has none; RateLimited, Unavailable where too
   * many searches are under way; what the embedding model throws
   */
  async search(
    caller: CallOwner,
    baseIds: readonly string[],
    request: SearchRequest,
    context: CallContext,
  ): Promise<RankedPassage[]> {
    const { hasVectors } = this.parts;
    const { query, topK, minScore, filter } = checked(request);
    // Without vectors that is a search by keywords.
    const mode = request.mode ?? 'hybrid';
    if (mode === 'vector' && !hasVectors) {
      throw new Conflict('capability_not_supported', 'The database has no vectors: search by keywords.', 'mode');
    }
    const reader = toReader(caller, context);
    const scope: SearchScope = { reader, baseIds: checkedBases(baseIds), filter };
    const limit = Math.max(CANDIDATES.least, CANDIDATES.times * topK);
    const question: Question = { query, mode, limit, caller, context };
    using _ = await this.places.take(reader);
    for (let left = ATTEMPTS; ; left -= 1) {
      const indexes = await this.indexesOf(scope);
      const found = await this.find(scope, indexes, question, { topK, minScore }).catch((error: unknown) => {
        // The vectors of an index that is not searched any more are dropped.
        if (left === 1 || !isUndefinedTable(error)) throw error;
        return undefined;
      });
      // One that has taken the place of another meanwhile has other passages.
      if (found && (left === 1 || areSame(indexes, await this.indexesOf(scope)))) return found;
    }
  }

  /**
   * What a file says, as its passages have it.
   * @param most UTF-16 units of it
   * @returns undefined where it is none that the caller may read
   */
  async textOf(
    caller: CallOwner,
    { knowledgebaseId, fileId }: { readonly knowledgebaseId: string; readonly fileId: string },
    most: number,
  ): Promise<{ readonly text: string; readonly language: string | null } | undefined> {
    const scope = { reader: toReader(caller), baseIds: [knowledgebaseId] };
    const passages = await this.parts.queries.ofFile(scope, fileId, Math.ceil(most / LEAST_PASSAGE));
    const [first] = passages;
    return first && { text: joinPassages(passages, most), language: first.language };
  }

  /** @throws NotFound where a base is none that the caller may read */
  private async indexesOf(scope: SearchScope): Promise<SearchedIndex[]> {
    const indexes = await this.parts.queries.indexes(scope);
    if (indexes.length < scope.baseIds.length) throw new NotFound('The knowledge base does not exist.');
    return indexes;
  }

  private async find(
    scope: SearchScope,
    indexes: readonly SearchedIndex[],
    question: Question,
    wanted: { readonly topK: number; readonly minScore: number | undefined },
  ): Promise<RankedPassage[]> {
    return this.read(scope, await this.rank(scope, indexes, question), question, wanted);
  }

  private async rank(
    scope: SearchScope,
    indexes: readonly SearchedIndex[],
    question: Question,
  ): Promise<readonly Ranked[]> {
    const { mode } = question;
    if (mode === 'vector') return this.byVectors(scope, indexes, question);
    if (mode === 'keyword' || !this.parts.hasVectors) return this.byKeywords(scope, indexes, question);
    const knowsMeaning = indexes.some(({ model }) => model !== BUILTIN_EMBEDDING_MODEL);
    const rankings = await Promise.all([
      this.byKeywords(scope, indexes, question),
      this.byVectors(scope, indexes, question),
    ]);
    return fuseRankings(rankings, [1, knowsMeaning ? 1 : WEIGHT_OF_HASHES]);
  }

  private async byKeywords(
    scope: SearchScope,
    indexes: readonly SearchedIndex[],
    { query: text, limit }: Question,
  ): Promise<Ranked[]> {
    const { queries } = this.parts;
    const configurations = await queries.configurations(scope);
    if (configurations.length === 0) return [];
    const ids = indexes.map(({ id }) => id);
    return queries.byKeywords(scope, ids, { text, configurations, limit });
  }

  /** Vectors of different models say nothing of each other: their rankings are joined by places. */
  private async byVectors(
    scope: SearchScope,
    indexes: readonly SearchedIndex[],
    question: Question,
  ): Promise<Ranked[]> {
    const byModel = [...Map.groupBy(indexes, ({ model }) => model)];
    const rankings = await Promise.all(
      byModel.map(async ([model, ofModel]) => {
        const vector = await this.embed(model, question);
        for (const { dimensions } of ofModel) requireComparable(vector.length, dimensions);
        return this.parts.queries.nearest(scope, ofModel, { vector, limit: question.limit });
      }),
    );
    return rankings.length === 1 ? (rankings[0] ?? []) : fuseRankings(rankings);
  }

  private async embed(model: string, { query: input, caller, context }: Question): Promise<number[]> {
    const { requestId, serverRequestId, signal, timings } = context;
    const answer = await this.parts.models.embed(caller, {
      area: 'knowledge',
      request: { model, input },
      context: { requestId, serverRequestId, signal, timings },
    });
    const [vector = []] = vectorsOf(answer, 1);
    return vector;
  }

  /** What is gone since it was found is left out. */
  private async read(
    scope: SearchScope,
    ranked: readonly Ranked[],
    question: Question,
    { topK, minScore = Number.NEGATIVE_INFINITY }: { readonly topK: number; readonly minScore: number | undefined },
  ): Promise<RankedPassage[]> {
    const { queries, reranker } = this.parts;
    const isReranked = reranker !== undefined && question.mode === 'hybrid';
    const best = isReranked ? ranked : ranked.filter(({ score }) => score >= minScore);
    const some = best.slice(0, isReranked ? Math.max(topK, RERANKED) : topK);
    const passages = await queries.passages(
      scope,
      some.map(({ id }) => id),
    );
    const byId = new Map(passages.map((passage) => [passage.chunkId, passage]));
    const found = some.flatMap(({ id, score }) => {
      const passage = byId.get(id);
      return passage ? [{ ...passage, score }] : [];
    });
    if (!isReranked) return found;
    const reranked = await reranker.rerank(found, question);
    return reranked.filter(({ score }) => score >= minScore).slice(0, topK);
  }
}

/** @param context of the call; left out where no request waits */
function toReader({ tenantId, userId }: CallOwner, context?: CallContext): Reader {
  return { tenantId, userId, signal: context?.signal, isPatient: context?.admission === undefined };
}

function areSame(some: readonly SearchedIndex[], others: readonly SearchedIndex[]): boolean {
  const ids = new Set(others.map(({ id }) => id));
  return some.every(({ id }) => ids.has(id));
}

function checked({ query, topK, minScore, filter }: SearchRequest) {
  const trimmed = query.trim();
  if (trimmed === '' || trimmed.length > MAX_QUERY_CHARACTERS) {
    throw new BadRequest(`query must have 1 to ${MAX_QUERY_CHARACTERS} characters.`, 'query');
  }
  const wanted = topK ?? DEFAULT_TOP_K;
  if (wanted < 1 || wanted > MAX_TOP_K) throw new BadRequest(`topK must be from 1 to ${MAX_TOP_K}.`, 'topK');
  return { query: trimmed, topK: wanted, minScore: minScore ?? undefined, filter: filter ?? undefined };
}

function checkedBases(ids: readonly string[]): string[] {
  const unique = [...new Set(ids)];
  if (unique.length === 0 || unique.length > MAX_BASES) {
    throw new BadRequest(`Name 1 to ${MAX_BASES} knowledge bases.`, 'knowledgebaseIds');
  }
  if (!unique.every((id) => isId('kb', id))) throw new NotFound('The knowledge base does not exist.');
  return unique;
}
