import type { Contributions, DomainModule, DomainParts, Host } from '../domain-module.js';
import { byId } from '../graph/domain.js';
import type { ReferenceResolver } from '../graph/domain.js';
import { entityLoader } from '../graph/request-loader.js';
import type { InferencePorts } from '../inference/domain.js';
import type { MeteringPorts } from '../metering/domain.js';
import { KnowledgeBase } from './bases/knowledge-base.entity.js';
import { KnowledgeBaseResolver, readRule } from './bases/knowledge-base.resolver.js';
import { KnowledgeBasesService } from './bases/knowledge-bases.service.js';
import { knowledgeConfig } from './config.js';
import type { KnowledgeConfig } from './config.js';
import { ERASE_JOB, KnowledgeErasure } from './erasure/knowledge-erasure.js';
import { FILE_BLOB } from './files/file-intake.js';
import { FileNotifier } from './files/file-notifier.js';
import { KnowledgeFile } from './files/knowledge-file.entity.js';
import { KnowledgeFileResolver } from './files/knowledge-file.resolver.js';
import { KnowledgeFilesService } from './files/knowledge-files.service.js';
import { KnowledgeChunk } from './index/knowledge-chunk.entity.js';
import { KnowledgeIndex } from './index/knowledge-index.entity.js';
import { VectorTable } from './index/vector-table.js';
import { FileIndexer } from './ingest/file-indexer.js';
import { INGEST_JOB, IngestJobs } from './ingest/ingest-jobs.js';
import { Knowledge1795391586638 } from './migrations/1795391586638-knowledge.js';
import { KnowledgeSearch } from './search/knowledge-search.js';
import { PassageQueries } from './search/passage-queries.js';
import { SearchResolver } from './search/search.resolver.js';

/** The ports of earlier domains that knowledge bases use. */
type KnowledgeNeeds = InferencePorts & Pick<MeteringPorts, 'storageLimits'>;

/** Files that are searched, and answers from them. */
export const knowledge: DomainModule<typeof knowledgeConfig, KnowledgeNeeds, object> = {
  name: 'knowledge',
  config: knowledgeConfig,
  entities: [KnowledgeBase, KnowledgeFile, KnowledgeIndex, KnowledgeChunk],
  migrations: [Knowledge1795391586638],
  create: createKnowledge,
};

async function createKnowledge(host: Host<KnowledgeConfig>, ports: KnowledgeNeeds): Promise<DomainParts<object>> {
  const { audit, blobs, config, database, jobs, log, topics } = host;
  const { dataSource } = database;
  const { models } = ports;
  const vectors = await VectorTable.open(dataSource, log);
  const notifier = new FileNotifier(topics);
  const ingest = createIngest(host, ports, vectors, notifier);
  const erasure = new KnowledgeErasure({ dataSource, jobs, blobs });
  const bases = new KnowledgeBasesService({
    dataSource,
    audit,
    embeddingModel: config.knowledgeEmbeddingModel,
    checkModel: (caller, model) => models.check(caller, model, 'embeddings'),
    erasure,
  });
  const files = new KnowledgeFilesService({
    dataSource,
    audit,
    blobs,
    links: host.blobLinks,
    maxUploadBytes: config.maxUploadBytes,
    storageLimits: ports.storageLimits,
    ingest,
    erasure,
    notifier,
  });
  const search = new KnowledgeSearch({ queries: new PassageQueries(dataSource), models, hasVectors: vectors.isThere });
  return {
    resolvers: [new KnowledgeBaseResolver(bases), new KnowledgeFileResolver(files), new SearchResolver(search)],
    references: [
      reference('KnowledgeBase', (caller, ids) => bases.find(caller, ids)),
      reference('KnowledgeFile', (caller, ids) => files.find(caller, ids)),
    ],
    health: { vectors: () => vectors.check() },
    jobHandlers: { [INGEST_JOB]: ingest.handler, [ERASE_JOB]: erasure.handler },
    blobReaders: { [FILE_BLOB]: (user, key) => files.read(user, key) },
    eraseUser: erasure.eraseUser,
    eraseTenant: erasure.eraseTenant,
    ports: {},
    close: async () => notifier.close(),
  };
}

function createIngest(
  { blobs, contributions, database: { dataSource }, extractor, jobs }: Host<KnowledgeConfig>,
  { models, countTokens }: KnowledgeNeeds,
  { isThere: hasVectors }: VectorTable,
  { changed }: FileNotifier,
): IngestJobs {
  const indexer = new FileIndexer({ blobs, extractor, models, countTokens, hasVectors });
  return new IngestJobs({ dataSource, jobs, blobs, indexer, permits: permitsOf(contributions), changed });
}

function reference(type: string, find: Parameters<typeof entityLoader>[0]): ReferenceResolver {
  return { type, access: readRule, resolve: byId(entityLoader(find)) };
}

/** Whether a user may still have anything done, as all domains say that say anything. */
function permitsOf(contributions: () => readonly Contributions[]) {
  return async (owner: { readonly tenantId: string; readonly userId: string }): Promise<boolean> => {
    const answers = await Promise.all(contributions().map((part) => part.permitsJob?.(owner) ?? true));
    return answers.every(Boolean);
  };
}
