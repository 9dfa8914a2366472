import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { isId } from '../../../src/platform/ids.js';
import type { AnyJson } from '../../support/probes/any-json.js';
import { eventually } from '../../support/probes/eventually.js';
import { login } from '../client.js';
import { ANSWER_MS, CountingTranslator } from '../counting-translator.js';
import { documentsToTranslate, UNITS } from '../documents-to-translate.js';
import type { DocumentToTranslate } from '../documents-to-translate.js';
import { failOn, settled } from '../ledger-check.js';
import type { Replica } from '../replica.js';
import { SECRET_KEY } from '../scenario.js';
import type { Figures, Scenario, ScenarioEnvironment } from '../scenario.js';
import type { Query } from '../servers.js';
import { TranslatedDocument } from '../translated-document.js';

/** When the server is killed, one of them in each round. */
const STEPS = ['upload', 'read', 'batches', 'write'] as const;
type Step = (typeof STEPS)[number];

/** What a crash repeats at most: eight batches of 32 texts. */
const MOST_IN_FLIGHT = 256;
const BATCHES = `
  SELECT units, is_translated AS "isTranslated" FROM document_translation_batches
  WHERE document_id = $1 ORDER BY position`;
/** What is stored of documents and should not be, or is counted otherwise than it is stored. */
const WRONG_ROWS = `
  SELECT coalesce(b.key, d.result_key, d.id) AS key, b.state, b.kind, d.status
  FROM blobs b FULL JOIN document_translations d ON d.result_key = b.key
  WHERE b.state IS DISTINCT FROM 'kept' OR d.status IS DISTINCT FROM 'completed' OR d.blob_key IS NOT NULL
  UNION ALL SELECT document_id, 'batch', NULL, NULL FROM document_translation_batches
  UNION ALL SELECT subject, 'counted', bytes::text, NULL FROM storage_usage
  WHERE bytes <> (SELECT sum(result_bytes) FROM document_translations)`;
const AUDITED = `
  SELECT target_id AS id, count(*)::integer AS entries
  FROM (SELECT action, target_id FROM audit_records UNION ALL SELECT action, target_id FROM audit_entries) a
  WHERE action = 'document_translation.create' GROUP BY target_id`;

/**
 * A server is killed at some point while a document is sent, read, translated batch by batch or written: its bytes, what
 * is told of it, what is stored and the ledger are then those of an undisturbed one.
 */
export const documentTranslationKilled: Scenario = {
  name: 'document translation killed',
  isSampled: true,
  async run(environment: ScenarioEnvironment): Promise<Figures> {
    const model = await CountingTranslator.start();
    environment.onClose(() => model.close());
    const { url, query } = await environment.database();
    const folder = join(environment.folder, 'data');
    const server = environment.replica({
      DATABASE_URL: url,
      SECRET_KEY,
      DATA_DIR: folder,
      OPENAI_BASE_URL: model.url,
      PREVIEW_DOCUMENT_TRANSLATION: 'true',
    });
    await server.start();
    const play = new Play(environment, { server, model, query, token: await login(server) });
    const documents = await documentsToTranslate();
    const undisturbed: Played[] = [];
    for (const document of documents) undisturbed.push(await play.undisturbed(document));
    for (const round of environment.roundNumbers) {
      const step = STEPS[round % STEPS.length] ?? 'upload';
      const at = round % documents.length;
      const played = await play.killed(documents[at] as DocumentToTranslate, step, undisturbed[at] as Played);
      failOn(differences(played, undisturbed[at] as Played).map((what) => `${what} after a kill during ${step}`));
    }
    await settled(query);
    await model.checkLedger(query, play.kills);
    await checkRows(query, folder, documents.length + environment.rounds);
    await server.stop();
    const { kills, interrupted, repeated, mostRepeated } = play;
    return {
      rounds: environment.rounds,
      kills,
      interrupted,
      calls: model.asked.length,
      'texts asked twice': repeated,
      'of one document at most': mostRepeated,
    };
  },
};

interface Parts {
  readonly server: Replica;
  readonly model: CountingTranslator;
  readonly query: Query;
  readonly token: string;
}

/** What came of a document. */
interface Played {
  readonly told: AnyJson;
  readonly bytes: Buffer;
  /** How often the model was asked. */
  readonly calls: number;
  /** How long each step took, but `batches`. */
  readonly milliseconds: Readonly<Record<Exclude<Step, 'batches'>, number>>;
}

/** Has documents translated, during which the server is killed at most once. */
class Play {
  kills = 0;
  /** Kills that came before the document was completed. */
  interrupted = 0;
  /** Texts that a model was shown before a kill and after it. */
  repeated = 0;
  mostRepeated = 0;
  /** The documents of which nothing is left to be done. */
  private readonly earlier = new Set<string>();

  constructor(
    private readonly environment: ScenarioEnvironment,
    private readonly parts: Parts,
  ) {}

  async undisturbed(document: DocumentToTranslate): Promise<Played> {
    const { model } = this.parts;
    const [before, startedAt] = [model.asked.length, performance.now()];
    let [firstAt, lastAt] = [0, 0];
    model.onRequest = () => {
      lastAt = performance.now();
      firstAt ||= lastAt;
    };
    const sent = await this.send(document);
    const takenAt = performance.now();
    const found = await sent.translated();
    this.earlier.add(sent.id);
    const milliseconds = { upload: takenAt - startedAt, read: firstAt - takenAt, write: performance.now() - lastAt };
    const asked = model.asked.slice(before).flat();
    if (new Set(asked).size !== UNITS || asked.length !== UNITS)
      throw new Error(`${asked.length} texts were asked for.`);
    return { ...found, calls: model.asked.length - before, milliseconds };
  }

  async killed(document: DocumentToTranslate, step: Step, { calls, milliseconds }: Played): Promise<Played> {
    const { model } = this.parts;
    const { random } = this.environment;
    const before = model.asked.length;
    let killed: Promise<Kill> | undefined;
    const reach = (moment: Step, latestMs: number): void => {
      if (moment === step) killed ??= this.kill(random.between(0, Math.ceil(latestMs)));
    };
    const at = before + (step === 'write' ? calls : random.between(1, calls - 1));
    model.onRequest = () => {
      if (model.asked.length < at) return;
      reach('batches', 2 * ANSWER_MS);
      reach('write', milliseconds.write);
    };
    reach('upload', milliseconds.upload);
    const sent = await this.send(document, () => killed);
    reach('read', milliseconds.read);
    const found = await sent.translated();
    this.earlier.add(sent.id);
    if (!killed) throw new Error(`Nothing was killed during ${step}.`);
    this.check(before, await killed);
    return { ...found, calls, milliseconds };
  }

  private async send(document: DocumentToTranslate, killed: () => Promise<Kill> | undefined = () => undefined) {
    const { server, token } = this.parts;
    return TranslatedDocument.send(server, token, document, async () => {
      await killed();
      return (await this.present())?.id;
    });
  }

  /** The document of this round, where it is stored. */
  private async present() {
    const rows = await this.parts.query<{ id: string; status: string }>('SELECT id, status FROM document_translations');
    return rows.find(({ id }) => !this.earlier.has(id));
  }

  private async kill(afterMs: number): Promise<Kill> {
    const { server, model, query } = this.parts;
    await sleep(afterMs);
    await server.kill();
    this.kills += 1;
    const present = await this.present();
    if (present?.status !== 'completed') this.interrupted += 1;
    const batches = await query<Batch>(BATCHES, [present?.id]);
    const kill = { batches, asked: model.asked.length };
    await server.start();
    return kill;
  }

  /** What was stored before a kill is not asked for again, and what was in flight once more. @throws Error */
  private check(before: number, { batches, asked }: Kill): void {
    const first = new Set(this.parts.model.asked.slice(before, asked).flat());
    const second = this.parts.model.asked.slice(asked).flat();
    const stored = new Set<number>();
    let position = 0;
    for (const { units, isTranslated } of batches) {
      for (let index = position; isTranslated && index < position + units; index += 1) stored.add(index);
      position += units;
    }
    const repeated = second.filter((index) => first.has(index)).length;
    this.repeated += repeated;
    this.mostRepeated = Math.max(this.mostRepeated, repeated);
    const [again, twice] = [second.filter((index) => stored.has(index)), second.length - new Set(second).size];
    failOn([
      ...(again.length > 0 ? [`${again.length} texts of stored batches were asked for again`] : []),
      ...(twice > 0 ? [`${twice} texts were asked for twice after a kill`] : []),
      ...(repeated > MOST_IN_FLIGHT ? [`${repeated} texts were asked for again`] : []),
    ]);
  }
}

interface Batch {
  readonly units: number;
  readonly isTranslated: boolean;
}

/** What there was when the server had died. */
interface Kill {
  readonly batches: readonly Batch[];
  /** How often the model had been asked. */
  readonly asked: number;
}

function differences(played: Played, undisturbed: Played): string[] {
  return [
    ...(played.bytes.equals(undisturbed.bytes) ? [] : ['other bytes']),
    ...(isDeepStrictEqual(played.told, undisturbed.told) ? [] : [`told is ${JSON.stringify(played.told)}`]),
  ];
}

/** Each document is there once, with the bytes of its translation alone. @throws Error that lists what is not so */
async function checkRows(query: Query, folder: string, documents: number): Promise<void> {
  await eventually('nothing but translated documents is stored', 60, async () => {
    failOn((await query(WRONG_ROWS)).map((row) => JSON.stringify(row)));
    const names = await readdir(join(folder, 'blobs'), { recursive: true });
    const files = names.filter((path) => isId('blob', path.replace(/^.*\//, '').replace(/\.part$/, '')));
    if (files.length !== documents) throw new Error(`There are ${files.length} files of ${documents}.`);
    return true;
  });
  const audited = await query<{ id: string; entries: number }>(AUDITED);
  failOn([
    ...(audited.length === documents ? [] : [`${audited.length} of ${documents} documents are in the audit log`]),
    ...audited.filter(({ entries }) => entries !== 1).map(({ id }) => `${id} was recorded more than once`),
  ]);
}
