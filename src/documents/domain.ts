import type { Caller } from '../access/caller.js';
import { permitsOf } from '../domain-module.js';
import { Conflict } from '../errors.js';
import type { DomainModule, DomainParts, Host } from '../domain-module.js';
import { byId } from '../graph/domain.js';
import { entityLoader } from '../graph/request-loader.js';
import type { IdentityPorts } from '../identity/domain.js';
import { BUILTIN_CHAT_MODEL } from '../inference/domain.js';
import type { InferencePorts } from '../inference/domain.js';
import type { MeteringPorts } from '../metering/domain.js';
import { ChangeNotifier } from '../platform/cluster/change-notifier.js';
import { documentsConfig } from './config.js';
import type { DocumentsConfig } from './config.js';
import { DocumentErasure, ERASE_JOB } from './erasure/document-erasure.js';
import { DocumentGauges } from './files/document-gauges.js';
import { DocumentReader } from './files/document-reader.js';
import { Document } from './files/document.entity.js';
import { DocumentResolver } from './files/document.resolver.js';
import { DocumentsService } from './files/documents.service.js';
import { READING_JOB, ReadingJobs } from './files/reading-jobs.js';
import { Documents1795413600000 } from './migrations/1795413600000-documents.js';
import { DocumentFileWarnings1795942401000 } from './migrations/1795942401000-file-warnings.js';
import { BulkReview } from './review/bulk-review.js';
import { DocumentValue } from './review/document-value.entity.js';
import { CalibrationResolver } from './review/calibration.resolver.js';
import { ReviewResolver } from './review/review.resolver.js';
import { ReviewService } from './review/review.service.js';
import { ResultsResolver } from './results/results.resolver.js';
import { ResultsService } from './results/results.service.js';
import { WorkbookWriter } from './export/workbook/workbook-writer.js';
import { SessionReaders } from './sessions/session-readers.js';
import { DocumentSession } from './sessions/document-session.entity.js';
import { DocumentSessionResolver, readRule } from './sessions/document-session.resolver.js';
import { DocumentSessionsService } from './sessions/document-sessions.service.js';

const COUNT_MS = 60_000;
const ABANDONED_MS = 60_000;
/** A workbook of 100,000 rows takes some seconds, and 450 MiB. */
const WORKBOOKS = { processes: 1, seconds: 120, memoryMib: 1_024 };

/** The ports of earlier domains that sessions use. */
type DocumentsNeeds = InferencePorts &
  Pick<IdentityPorts, 'isAdministrator'> &
  Pick<MeteringPorts, 'storageLimits' | 'storageChanged'>;

/** Documents whose fields are read, and checked by people. */
export const documents: DomainModule<typeof documentsConfig, DocumentsNeeds, object> = {
  name: 'documents',
  config: documentsConfig,
  entities: [DocumentSession, Document, DocumentValue],
  migrations: [Documents1795413600000, DocumentFileWarnings1795942401000],
  create: createDocuments,
};

async function createDocuments(host: Host<DocumentsConfig>, ports: DocumentsNeeds): Promise<DomainParts<object>> {
  const { audit, blobs, database, jobs, log, topics } = host;
  const { dataSource } = database;
  const notifier = new ChangeNotifier(topics, 'documents');
  const workbooks = new WorkbookWriter({ ...WORKBOOKS, log });
  const counts = new DocumentGauges(dataSource);
  const erasure = new DocumentErasure({ dataSource, audit, jobs, blobs, changed: notifier.changed });
  const { sessions, files, reading, results, review } = createServices(host, ports, { notifier, workbooks, erasure });
  return {
    resolvers: [
      new DocumentSessionResolver(sessions),
      new DocumentResolver(files),
      new ResultsResolver(results),
      new ReviewResolver(review, new BulkReview(dataSource, review)),
      new CalibrationResolver(dataSource),
    ],
    references: [
      {
        type: 'DocumentSession',
        access: readRule,
        resolve: byId(entityLoader((caller, ids) => sessions.find(caller, ids))),
      },
    ],
    gauges: [...counts.gauges, ...workbooks.gauges],
    tasks: [
      { name: 'counting documents', intervalMs: COUNT_MS, run: () => counts.refresh() },
      { name: 'ending documents whose jobs are over', intervalMs: ABANDONED_MS, run: () => reading.endAbandoned() },
    ],
    jobHandlers: { [READING_JOB]: reading.handler, [ERASE_JOB]: erasure.handler },
    blobReaders: { ...files.blobReaders, ...results.blobReaders },
    eraseUser: erasure.eraseUser,
    eraseTenant: erasure.eraseTenant,
    ports: {},
    close: async () => {
      notifier.close();
      workbooks.close();
    },
  };
}

interface ServiceParts {
  readonly notifier: ChangeNotifier;
  readonly workbooks: WorkbookWriter;
  readonly erasure: DocumentErasure;
}

function createServices(
  { audit, blobLinks: links, blobs, config, contributions, database, extractor, jobs, scratch }: Host<DocumentsConfig>,
  { isAdministrator, models, storageLimits, storageChanged }: DocumentsNeeds,
  { notifier, workbooks, erasure }: ServiceParts,
) {
  const { dataSource } = database;
  const { changed } = notifier;
  const readers = new SessionReaders({ dataSource, isAdministrator });
  const reader = new DocumentReader({ blobs, extractor, models });
  const permits = permitsOf(contributions);
  const reading = new ReadingJobs({ dataSource, audit, jobs, reader, permits, changed });
  const checkModel = async (caller: Caller, model: string): Promise<void> => {
    await models.check(caller, model, 'chat');
    if (model !== BUILTIN_CHAT_MODEL) return;
    throw new Conflict('capability_not_supported', 'The builtin model cannot answer by a schema.', 'model');
  };
  const sessions = new DocumentSessionsService({ dataSource, audit, checkModel, erasure, notifier });
  const files = new DocumentsService({
    dataSource,
    audit,
    blobs,
    links,
    maxUploadBytes: config.maxUploadBytes,
    storageLimits,
    storageChanged,
    checkModel,
    reading,
    readers,
    notifier,
  });
  const results = new ResultsService({ database, links, workbooks, scratch, readers });
  const review = new ReviewService({ dataSource, audit, notifier });
  return { sessions, files, reading, results, review };
}
