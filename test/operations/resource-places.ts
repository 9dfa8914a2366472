/**
 * Where work of callers takes something of the machine: the files of `src/` for each row of the table in
 * `docs/operations.md`, "What callers may take of the machine".
 *
 * A file that begins to take something (`MARKS` of `resource-table.test.ts`) belongs here. Where callers bring that
 * about, bound it for the process, a tenant and a user (`CallerPlaces`, `SharedBudget`), and name it in the row that tells
 * of the bound, or write a new row. `file#text` is for a bound that no mark finds: the text stands in the file.
 */
export const RESOURCES: Readonly<Record<string, readonly string[]>> = {
  'Event loop': [
    'platform/async/cooperative-yield.ts#SLICE_MS',
    'platform/audio/resampler.ts#STEP_PRODUCTS',
    'translation/html/stepped-tokenizer.ts#MOST_ATTRIBUTES',
  ],
  Connections: ['http/http-server.ts', 'http/connections.ts#MAX_PIPELINED'],
  'JSON bodies in memory': ['rest/held-bodies.ts'],
  Requests: ['metering/limits/rate-limits.service.ts#countRequest'],
  'Open streams, and files that are made while they are sent': [
    'http/open-requests.ts#maxStreams',
    'metering/limits/rate-limits.service.ts#openStream',
  ],
  'Web sockets': ['http/graphql-ws.ts', 'http/socket-endpoints.ts'],
  'GraphQL operations': ['graph/operation-limits.ts#complexity'],
  'Calls that go on without their clients': ['http/unattended-calls.ts#USER_SHARE'],
  'Calls of a model server': ['inference/backends/server-backend.ts'],
  'Whole answers of a model server in memory': ['platform/net/egress.ts'],
  'Batches of embeddings': ['inference/embeddings/embedding-exchange.ts'],
  'Large queries of the database': [
    'audit/entries/audit-logs.service.ts',
    'documents/results/exported-documents.ts',
    'knowledge/search/keyword-ranking.ts',
    'knowledge/search/passage-queries.ts',
    'metering/usage/usage-calls.service.ts',
    'metering/usage/usage.service.ts',
    'platform/database/long-reads.ts',
  ],
  'Operations that only read: queries of GraphQL and GET, but for those that the request limit counts': [
    'graph/read-places.ts',
  ],
  'Lists and other short statements': [
    'documents/review/bulk-review.ts',
    'documents/review/calibration.ts',
    'documents/sessions/session-counters.ts',
    'identity/sessions/sessions.service.ts',
    'identity/users/users.service.ts',
    'platform/database/count-at-most.ts',
    'platform/jobs/job-records.ts',
    'researcher/pipeline/step-log.ts',
  ],
  'Searches of knowledge bases': ['knowledge/search/knowledge-search.ts'],
  'Verifications of the audit log': [
    'audit/verification/audit-verification.service.ts',
    'audit/verification/verify-audit-log.ts',
  ],
  'Checks of sanitizer rules': ['sanitizer/policies/sanitizer-policies.service.ts'],
  'Processes that encode speech': ['platform/audio/encoder.ts', 'platform/audio/encoders.ts'],
  'Sound of `builtin-flite`': ['inference/speech/engines/flite-engine.ts', 'inference/speech/engines/flite-worker.ts'],
  'Processes of `espeak-ng`': [
    'inference/speech/engines/engine-program.ts',
    'inference/speech/engines/espeak-engine.ts',
    'inference/speech/engines/program-runner.ts',
  ],
  'Processes of `builtin-pocketsphinx`': ['inference/speech/engines/pocketsphinx-engine.ts'],
  'Pipelines of `apertium`': [
    'inference/translation/apertium/apertium-engine.ts',
    'inference/translation/apertium/apertium-pipeline.ts',
  ],
  'Texts that wait to be spoken': ['echo/speech/speech-orders.ts#USER_BYTES'],
  'Processes that decode audio': [
    'platform/audio/audio-processor.ts',
    'platform/audio/decoding/ffmpeg-samples.ts',
    'platform/extraction/child/child-pool.ts',
    'platform/extraction/child/serve.ts',
    'platform/extraction/child/work-child.ts',
  ],
  'Processes that read files': ['platform/extraction/extractor.ts', 'platform/extraction/pdf/run-program.ts'],
  'Processes that read web pages': [
    'platform/extraction/web/web-page-reader.ts',
    'researcher/reading/source-reader.ts',
  ],
  'Processes that write workbooks': ['documents/export/workbook/workbook-writer.ts'],
  'Processes that read and write translated documents': ['translation/documents/document-rewriter.ts'],
  'Scratch disk': [
    'documents/results/results.service.ts',
    'echo/live/live-transcriber.ts',
    'echo/transcriptions/transcriptions.service.ts',
    'platform/scratch/scratch-folder.ts',
    'platform/scratch/scratch.ts',
  ],
  'Reserve of the disk': ['platform/scratch/disk-space.ts#reserveBytes'],
  'Stored files': ['platform/blobs/storage-counters.ts#StorageExceeded'],
  'Memory of texts that are translated': ['translation/texts/text-memory.ts'],
  'Texts of a translation': [
    'translation/documents/jobs/create-documents.ts',
    'translation/engines/piece-translation.ts',
  ],
  'Searches of the web': ['researcher/search/web-search.ts'],
  'Fetches of web pages': [
    'platform/net/pages/answer-body.ts',
    'platform/net/pages/page-connections.ts',
    'platform/net/pages/page-fetcher.ts',
    'platform/net/pages/robots-files.ts',
    'researcher/scrape/scrape.service.ts',
  ],
  'Analyses and syntheses of sources': ['researcher/answers/answers.service.ts'],
  'Research sessions with all of their texts in memory': ['researcher/pipeline/open-run.ts'],
  Jobs: [
    'documents/files/reading-jobs.ts',
    'echo/pipeline/transcription-jobs.ts',
    'knowledge/index/reindex-jobs.ts',
    'knowledge/index/vector-index-jobs.ts',
    'knowledge/ingest/ingest-jobs.ts',
    'platform/jobs/job-queue.ts',
    'platform/jobs/waiting-jobs.ts',
    'researcher/sessions/session-job.ts',
    'translation/documents/jobs/translation-jobs.ts',
  ],
  'Answers and contexts that are kept': ['platform/cluster/sealed-store.ts#OWNER_SHARE'],
  'Hashes of passwords': ['identity/passwords/password-hasher.ts'],
  'Sign-ins and syncs by a directory': [
    'identity/directories/directories.ts',
    'identity/directories/directory-sign-in.ts#AT_ONCE',
    'identity/directories/ldap/ldap-connection.ts',
    'identity/directories/sync/vanished-people.ts',
  ],
};

/** What is no work of callers, by the reason. */
export const NOT_OF_CALLERS: Readonly<Record<string, readonly string[]>> = {
  'commands of the operator': ['cli/command.ts', 'cli/postgres-restore.ts', 'metering/ledger/ledger-verification.ts'],
  'once at the start': [
    'platform/database/embedded-database.ts',
    'platform/database/embedded-database.worker.ts',
    'platform/programs/ask-program.ts',
  ],
  'what the places are made of, or children are started with': [
    'platform/async/caller-places.ts',
    'platform/async/shared-budget.ts',
    'platform/programs/launcher.child.ts',
    'platform/programs/process-launcher.ts',
    'platform/programs/running-program.ts',
  ],
  'one statement, or one of each time, for all callers together': [
    'audit/chain/sealer-watch.ts',
    'documents/files/document-gauges.ts',
    'echo/recordings/recording-gauges.ts',
    'knowledge/files/file-gauges.ts',
    'platform/audit/audit-recorder.ts',
    'platform/blobs/blob-deletions.ts',
    'platform/blobs/blob-gauges.ts',
    'platform/cluster/process-lease.ts',
    'platform/jobs/job-database.ts',
    'platform/jobs/job-gauge.ts',
    'platform/jobs/unserved-jobs.ts',
    'researcher/sessions/session-gauges.ts',
    'translation/documents/jobs/document-translation-gauges.ts',
  ],
  'erasure and upkeep in small steps, by jobs': [
    'documents/erasure/document-erasure.ts',
    'knowledge/erasure/knowledge-erasure.ts',
    'knowledge/index/shared-vectors.ts',
    'metering/ledger/ledger-erasure.ts',
  ],
  'one connection, or a few, to a server of the operator': [
    'identity/sso/code-grant.ts',
    'platform/blobs/s3-bucket.ts',
    'platform/mail/mailer.ts',
    'platform/redis/redis.ts',
  ],
};
