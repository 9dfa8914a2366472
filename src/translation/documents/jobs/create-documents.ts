import { permitsOf } from '../../../domain-module.js';
import type { Host } from '../../../domain-module.js';
import type { MeteringPorts } from '../../../metering/domain.js';
import { ChangeNotifier } from '../../../platform/cluster/change-notifier.js';
import { WorkTurns } from '../../../platform/extraction/child/work-turns.js';
import type { TranslationConfig } from '../../config.js';
import type { Translator } from '../../engines/translator.js';
import { DocumentRewriter } from '../document-rewriter.js';
import { DocumentTranslationErasure } from './document-translation-erasure.js';
import { DocumentTranslationGauges } from './document-translation-gauges.js';
import { DocumentTranslationResolver } from './document-translation.resolver.js';
import { DocumentTranslationsService } from './document-translations.service.js';
import { DocumentWork, TRANSLATION_BLOB } from './document-work.js';
import { TRANSLATION_JOB, TranslationJobs } from './translation-jobs.js';
import { TranslationBatches } from './translation-batches.js';

const COUNT_MS = 60_000;
const ABANDONED_MS = 60_000;
const SWEEP_MS = 10_000;
/** A document is read and written in some seconds; between them its texts are with engines, and no child waits. */
const CHILDREN = { processes: 2, seconds: 300, memoryMib: 512 };
/** Texts of documents that are large are translated so many at once. */
const LARGE_TEXTS = 4;

/** The ports of earlier domains that documents use. */
export type DocumentNeeds = Pick<MeteringPorts, 'storageLimits' | 'storageChanged'>;

/** Documents that are translated by a job: `/v1/translate/documents`. */
export function createDocuments(
  translator: Translator,
  host: Host<TranslationConfig>,
  { storageLimits, storageChanged }: DocumentNeeds,
) {
  const { audit, blobLinks: links, blobs, config, log } = host;
  const { dataSource } = host.database;
  const notifier = new ChangeNotifier(host.topics, 'document_translation');
  const rewriter = new DocumentRewriter({ ...CHILDREN, log });
  const batches = new TranslationBatches(dataSource, host.secretBox);
  const work = new DocumentWork({
    blobs,
    rewriter,
    translator,
    batches,
    storageLimits,
    largeTurns: new WorkTurns(LARGE_TEXTS),
  });
  const permits = permitsOf(host.contributions);
  const jobs = new TranslationJobs({ dataSource, jobs: host.jobs, blobs, work, permits, notifier, storageChanged });
  const erasure = new DocumentTranslationErasure({ dataSource, blobs, changed: notifier.changed });
  const counts = new DocumentTranslationGauges(dataSource, host.jobRecords);
  const service = new DocumentTranslationsService({
    isOn: config.previewDocumentTranslation,
    dataSource,
    audit,
    blobs,
    links,
    maxBytes: Math.min(config.maxUploadBytes, rewriter.maxBytes),
    storageLimits,
    storageChanged,
    translator,
    jobs,
    notifier,
  });
  return {
    resolvers: [new DocumentTranslationResolver(service)],
    gauges: [...counts.gauges, ...rewriter.gauges],
    health: { translations: async () => (config.previewDocumentTranslation ? counts.check() : 'off') },
    tasks: [
      { name: 'counting document translations', intervalMs: COUNT_MS, run: () => counts.refresh() },
      {
        name: 'ending document translations whose jobs are over',
        intervalMs: ABANDONED_MS,
        run: () => jobs.endAbandoned(),
      },
      { name: 'deleting what is left of document translations', intervalMs: SWEEP_MS, run: () => erasure.sweep() },
    ],
    jobHandlers: { [TRANSLATION_JOB]: jobs.handler },
    blobReaders: { [TRANSLATION_BLOB]: service.read.bind(service) },
    eraseUser: erasure.eraseUser,
    eraseTenant: erasure.eraseTenant,
    close: async () => {
      notifier.close();
      rewriter.close();
    },
  };
}
