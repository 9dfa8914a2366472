import type { CallContext, Models } from '../../inference/domain.js';
import type { CallOwner } from '../../access/caller.js';
import { BadRequest, Conflict, NotFound } from '../../errors.js';
import { isId } from '../../platform/ids.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { objectsOf } from '../../platform/json/json-object.js';
import { fuseRankings } from './rank-fusion.js';
import type { Ranked } from './rank-fusion.js';
import type { PassageQueries, SearchedIndex, SearchScope } from './passage-queries.js';
import type { FoundPassage, SearchMode } from './search.types.js';

const MAX_QUERY_CHARACTERS = 10_000;
const MAX_BASES = 20;
const DEFAULT_TOP_K = 8;
const MAX_TOP_K = 100;
/** Each way to search finds more than is wanted, so that what both find comes up. */
const CANDIDATES = { least: 50, times: 3 };

interface KnowledgeSearchParts {
  readonly queries: PassageQueries;
  readonly models: Pick<Models, 'embed'>;
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

/** Finds passages in knowledge bases. */
export class KnowledgeSearch {
  constructor(private readonly parts: KnowledgeSearchParts) {}

  /**
   * Finds the passages that fit a query best.
   * @throws BadRequest that names the field; NotFound where a base is none that the caller may read; Conflict
   * `capability_not_supported` where vectors are asked for and the database has none; what the embedding model throws
   */
  async search(
    caller: CallOwner,
    baseIds: readonly string[],
    request: SearchRequest,
    context: CallContext,
  ): Promise<FoundPassage[]> {
    const { queries, hasVectors } = this.parts;
    const { query, topK, minScore, filter } = checked(request);
    const mode = request.mode ?? (hasVectors ? 'hybrid' : 'keyword');
    if (mode === 'vector' && !hasVectors) {
      throw new Conflict('capability_not_supported', 'The database has no vectors: search by keywords.', 'mode');
    }
    const scope: SearchScope = { reader: caller, baseIds: checkedBases(baseIds), filter };
    const indexes = await queries.indexes(scope);
    if (indexes.length < scope.baseIds.length) throw new NotFound('The knowledge base does not exist.');
    const limit = Math.max(CANDIDATES.least, CANDIDATES.times * topK);
    const rankings = await Promise.all([
      ...(mode === 'vector' ? [] : [this.byKeywords(scope, indexes, query, limit)]),
      ...(mode === 'keyword' || !hasVectors ? [] : [this.byVectors(caller, scope, indexes, query, limit, context)]),
    ]);
    const ranked = mode === 'hybrid' ? fuseRankings(rankings) : (rankings[0] ?? []);
    const best = ranked.filter(({ score }) => score >= (minScore ?? Number.NEGATIVE_INFINITY)).slice(0, topK);
    return this.read(scope, best);
  }

  private async byKeywords(
    scope: SearchScope,
    indexes: readonly SearchedIndex[],
    text: string,
    limit: number,
  ): Promise<Ranked[]> {
    const { queries } = this.parts;
    const configurations = await queries.configurations(scope.baseIds);
    if (configurations.length === 0) return [];
    const ids = indexes.map(({ id }) => id);
    return queries.byKeywords(scope, ids, { text, configurations, limit });
  }

  /** Vectors of different models say nothing of each other: their rankings are joined by places. */
  private async byVectors(
    caller: CallOwner,
    scope: SearchScope,
    indexes: readonly SearchedIndex[],
    query: string,
    limit: number,
    context: CallContext,
  ): Promise<Ranked[]> {
    const byModel = [...Map.groupBy(indexes, ({ model }) => model)];
    const rankings = await Promise.all(
      byModel.map(async ([model, ofModel]) => {
        const vector = await this.embed(caller, model, query, context);
        const ids = ofModel.map(({ id }) => id);
        return this.parts.queries.byVector(scope, ids, { vector, limit });
      }),
    );
    return rankings.length === 1 ? (rankings[0] ?? []) : fuseRankings(rankings);
  }

  private async embed(caller: CallOwner, model: string, input: string, context: CallContext): Promise<number[]> {
    const { requestId, serverRequestId, signal, timings } = context;
    const answer = await this.parts.models.embed(caller, {
      area: 'knowledge',
      request: { model, input },
      context: { requestId, serverRequestId, signal, timings },
    });
    return objectsOf(answer.data)[0]?.embedding as number[];
  }

  /** What is gone since it was found is left out. */
  private async read(scope: SearchScope, best: readonly Ranked[]): Promise<FoundPassage[]> {
    const ids = best.map(({ id }) => id);
    const passages = await this.parts.queries.passages(scope, ids);
    const byId = new Map(passages.map((passage) => [passage.chunkId, passage]));
    return best.flatMap(({ id, score }) => {
      const passage = byId.get(id);
      return passage ? [{ ...passage, score }] : [];
    });
  }
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
