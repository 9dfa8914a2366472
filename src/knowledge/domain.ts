import type { Caller } from '../access/caller.js';
import { permitsOf } from '../domain-module.js';
import type { DomainModule, DomainParts, Host } from '../domain-module.js';
import { byId } from '../graph/domain.js';
import type { ReferenceResolver } from '../graph/domain.js';
import { entityLoader } from '../graph/request-loader.js';
import type { InferencePorts } from '../inference/domain.js';
import type { MeteringPorts } from '../metering/domain.js';
import { KnowledgeBase } from './bases/knowledge-base.entity.js';
import { KnowledgeBaseResolver, readRule } from './bases/knowledge-base.resolver.js';
import { KnowledgeBasesService } from './bases/knowledge-bases.service.js';
import { KnowledgeChat } from './chat/knowledge-chat.js';
import { KnowledgeChatResolver } from './chat/knowledge-chat.resolver.js';
import { knowledgeConfig } from './config.js';
import type { KnowledgeConfig } from './config.js';
import { ERASE_JOB, KnowledgeErasure } from './erasure/knowledge-erasure.js';
import { FileGauges } from './files/file-gauges.js';
import { FileNotifier } from './files/file-notifier.js';
import { KnowledgeFile } from './files/knowledge-file.entity.js';
import { KnowledgeFileResolver } from './files/knowledge-file.resolver.js';
import { FILE_BLOB, KnowledgeFilesService } from './files/knowledge-files.service.js';
import { ChunkWriter, WRITE_SIZES } from './index/chunk-writer.js';
import { IndexBuilder } from './index/index-builder.js';
import { KnowledgeChunk } from './index/knowledge-chunk.entity.js';
import { KnowledgeIndex } from './index/knowledge-index.entity.js';
import { REINDEX_JOB, ReindexJobs } from './index/reindex-jobs.js';
import { ReindexedFile } from './index/reindexed-file.entity.js';
import { adoptVectors } from './index/shared-vectors.js';
import { VECTOR_INDEX_JOB, VectorIndexJobs } from './index/vector-index-jobs.js';
import { VectorExtension } from './index/vector-extension.js';
import { Embedder } from './ingest/embedder.js';
import { FileIndexer } from './ingest/file-indexer.js';
import { INGEST_JOB, IngestJobs } from './ingest/ingest-jobs.js';
import { Knowledge1795391586638 } from './migrations/1795391586638-knowledge.js';
import { PendingList1795425000000 } from './migrations/1795425000000-pending-list.js';
import { LackingVectors1795906800000 } from './migrations/1795906800000-lacking-vectors.js';
import { KnowledgeFileWarnings1795942400000 } from './migrations/1795942400000-file-warnings.js';
import { KnowledgeSearch } from './search/knowledge-search.js';
import { Reranker } from './search/reranker.js';
import { PassageQueries } from './search/passage-queries.js';
import { SearchResolver } from './search/search.resolver.js';

export type { KnowledgeSearch } from './search/knowledge-search.js';

const COUNT_MS = 60_000;
const ABANDONED_MS = 60_000;
const UNUSED_MS = 60_000;
const MISSING_MS = 30_000;
const LACKING_MS = 60_000;

/** The ports of earlier domains that knowledge bases use. */
type KnowledgeNeeds = InferencePorts & Pick<MeteringPorts, 'storageLimits' | 'storageChanged'>;

/** What knowledge bases give to later domains. */
export interface KnowledgePorts {
  /** Finds passages in knowledge bases, for whoever may read these at that moment. */
  readonly knowledgeSearch: KnowledgeSearch;
  /** Whether a user may read all of these knowledge bases at this moment, whatever its token may. */
  canReadBases(user: Pick<Caller, 'tenantId' | 'userId'>, ids: readonly string[]): Promise<boolean>;
}

/** Files that are searched, and answers from them. */
export const knowledge: DomainModule<typeof knowledgeConfig, KnowledgeNeeds, KnowledgePorts> = {
  name: 'knowledge',
  config: knowledgeConfig,
  entities: [KnowledgeBase, KnowledgeFile, KnowledgeIndex, ReindexedFile, KnowledgeChunk],
  migrations: [
    Knowledge1795391586638,
    PendingList1795425000000,
    LackingVectors1795906800000,
    KnowledgeFileWarnings1795942400000,
  ],
  create: createKnowledge,
};

async function createKnowledge(
  host: Host<KnowledgeConfig>,
  ports: KnowledgeNeeds,
): Promise<DomainParts<KnowledgePorts>> {
  const { audit, blobs, config, database, jobs, log, topics } = host;
  const { dataSource } = database;
  const { models } = ports;
  const vectors = await VectorExtension.open(dataSource, log);
  if (vectors.isThere) await adoptVectors(dataSource, log);
  const notifier = new FileNotifier(topics);
  const counts = await FileGauges.open(dataSource);
  const erasure = new KnowledgeErasure({ dataSource, jobs, blobs });
  const { ingest, reindex, vectorIndexes, jobHandlers } = createIndexing(host, ports, {
    vectors,
    erasure,
    changed: notifier.changed,
  });
  const bases = new KnowledgeBasesService({
    dataSource,
    audit,
    embeddingModel: config.knowledgeEmbeddingModel,
    checkModel: (caller, model) => models.check(caller, model, 'embeddings'),
    erasure,
    reindex,
  });
  const files = createFiles(host, ports, { ingest, erasure, notifier });
  const search = createSearch(host, ports, vectors);
  return {
    resolvers: [
      new KnowledgeBaseResolver(bases),
      new KnowledgeFileResolver(files),
      new SearchResolver(search),
      new KnowledgeChatResolver(new KnowledgeChat({ models, search })),
    ],
    references: [
      reference('KnowledgeBase', (caller, ids) => bases.find(caller, ids)),
      reference('KnowledgeFile', (caller, ids) => files.find(caller, ids)),
    ],
    gauges: counts.gauges,
    health: { vectors: () => vectors.check(counts.basesWithoutVectors) },
    tasks: [
      { name: 'counting files of knowledge bases', intervalMs: COUNT_MS, run: () => counts.refresh() },
      { name: 'dropping tables of vectors that are not used', intervalMs: UNUSED_MS, run: () => erasure.dropVectors() },
      {
        name: 'looking for indexes of vectors to build',
        intervalMs: MISSING_MS,
        run: () => vectorIndexes.enqueueMissing(),
      },
      { name: 'making vectors that passages lack', intervalMs: LACKING_MS, run: () => reindex.beginLacking() },
      { name: 'ending files whose jobs are over', intervalMs: ABANDONED_MS, run: () => ingest.endAbandoned() },
    ],
    jobHandlers,
    blobReaders: { [FILE_BLOB]: (user, key) => files.read(user, key) },
    eraseUser: erasure.eraseUser,
    eraseTenant: erasure.eraseTenant,
    ports: { knowledgeSearch: search, canReadBases: (user, ids) => bases.canRead(user, ids) },
    close: async () => notifier.close(),
  };
}

interface FileParts {
  readonly ingest: IngestJobs;
  readonly erasure: KnowledgeErasure;
  readonly notifier: FileNotifier;
}

function createFiles(
  { audit, blobs, blobLinks: links, config, database: { dataSource } }: Host<KnowledgeConfig>,
  { storageLimits, storageChanged }: KnowledgeNeeds,
  parts: FileParts,
): KnowledgeFilesService {
  const { maxUploadBytes } = config;
  return new KnowledgeFilesService({
    dataSource,
    audit,
    blobs,
    links,
    maxUploadBytes,
    storageLimits,
    storageChanged,
    ...parts,
  });
}

function createSearch(
  { config, database: { dataSource, longReads }, log }: Host<KnowledgeConfig>,
  { models }: KnowledgeNeeds,
  { isThere: hasVectors }: VectorExtension,
): KnowledgeSearch {
  const { knowledgeRerankModel: model } = config;
  const reranker = model === undefined ? undefined : new Reranker({ models, model, log });
  return new KnowledgeSearch({ queries: new PassageQueries(dataSource, longReads), models, reranker, hasVectors });
}

interface IndexingParts {
  readonly vectors: VectorExtension;
  readonly erasure: KnowledgeErasure;
  readonly changed: FileNotifier['changed'];
}

/** What makes passages and their vectors. */
function createIndexing(
  { blobs, config, contributions, database, extractor, jobs, log }: Host<KnowledgeConfig>,
  { models, countTokens }: KnowledgeNeeds,
  { vectors, erasure, changed }: IndexingParts,
) {
  const { dataSource } = database;
  const embedder = new Embedder(models, dataSource, vectors.isThere);
  const permits = permitsOf(contributions);
  // The embedded database does nothing else while it makes one.
  const isSupported = vectors.hasIterativeScans && !database.embedded;
  const builder = new IndexBuilder(database, config.knowledgeIndexMemoryMib);
  const vectorIndexes = new VectorIndexJobs({ dataSource, builder, jobs, isSupported });
  const writer = new ChunkWriter(database.embedded ? WRITE_SIZES.embedded : WRITE_SIZES.server);
  const indexer = new FileIndexer({ blobs, extractor, embedder, writer, countTokens });
  const reindex = new ReindexJobs({
    dataSource,
    jobs,
    embedder,
    writer,
    erasure,
    hasVectors: vectors.isThere,
    log,
    permits,
  });
  const ingest = new IngestJobs({ dataSource, jobs, indexer, permits, changed });
  const jobHandlers = {
    [INGEST_JOB]: ingest.handler,
    [REINDEX_JOB]: reindex.handler,
    [VECTOR_INDEX_JOB]: vectorIndexes.handler,
    [ERASE_JOB]: erasure.handler,
  };
  return { reindex, ingest, vectorIndexes, jobHandlers };
}

function reference(type: string, find: Parameters<typeof entityLoader>[0]): ReferenceResolver {
  return { type, access: readRule, resolve: byId(entityLoader(find)) };
}
