import type { Logger } from 'pino';
import type { Origin } from '../../../platform/net/egress.js';
import { repeat } from '../../../platform/async/periodic.js';
import type { Periodic } from '../../../platform/async/periodic.js';
import { excessOf, MODELS_JSON } from '../../streaming/json-limits.js';
import type { ServedModel } from '../backend.js';
import { CONTROL_CHARACTERS } from '../backend-settings.js';
import type { AudioSettings, OpenaiSettings } from '../backend-settings.js';
import { audioTraits } from '../../speech/audio-traits.js';
import { objectsOf, parseJsonObject } from '../../../platform/json/json-object.js';
import type { JsonObject } from '../../../platform/json/json-object.js';

const PROBE_MS = 30_000;
const PROBE_TIMEOUT_MS = 5_000;
const ANSWER_LIMITS = { bytes: 8 * 1024 * 1024, milliseconds: PROBE_TIMEOUT_MS };
/** The most models that a server may tell, and how long their names may be. */
const MODELS = 1_000;
const NAME_CHARACTERS = 256;
/** Statuses of a server that has no list of models. */
const WITHOUT_LIST = new Set([404, 405, 501]);
/** How often the models may be asked for because of requests. */
const REFRESH_MS = 1_000;

interface ProbeOptions {
  /** Whose the models are where the server does not say it. */
  readonly owner: string;
  /** Told of each probe: what went wrong, or undefined. */
  readonly report: (error?: unknown) => void;
  readonly log: Logger;
}

/** Asks a model server, at the start and every 30 s, how it does and which models it has. */
export class ServerProbe {
  /** Of the last probe that went well; null before it. */
  latencyMilliseconds: number | null = null;
  /** Undefined while a server that has to be asked for its models has never answered. */
  models: readonly ServedModel[] | undefined;
  private readonly task: Periodic;
  private readonly startedAt = Math.floor(Date.now() / 1000);
  private probing: Promise<void> | undefined;
  private probedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly settings: OpenaiSettings,
    private readonly origin: Origin,
    private readonly options: ProbeOptions,
  ) {
    this.models = settings.models?.map(({ id, upstream, max_tokens: maxTokens, audio }) => ({
      ...this.servedModel(id, upstream, {}, audio),
      maxTokens,
    }));
    const name = `probing the model server ${settings.id}`;
    this.task = repeat(name, PROBE_MS, options.log, () => this.probe());
    this.probeNow();
  }

  /** Probes in the background, unless it is being done. */
  probeNow(): void {
    this.probe().catch((error: unknown) => {
      this.options.log.error({ err: error, backend: this.settings.id }, 'a probe failed');
    });
  }

  /** Asks for the models again, at most once a second; never fails. */
  async refresh(): Promise<void> {
    if (this.settings.models) return;
    if (this.probing || performance.now() - this.probedAt >= REFRESH_MS) await this.probe();
  }

  close(): void {
    // A probe that is under way ends with its connection.
    void this.task.stop();
  }

  private probe(): Promise<void> {
    this.probing ??= this.askHealthAndModels().finally(() => (this.probing = undefined));
    return this.probing;
  }

  private async askHealthAndModels(): Promise<void> {
    this.probedAt = performance.now();
    const { health_path: healthPath, models } = this.settings;
    try {
      if (healthPath !== undefined) await this.ask(healthPath, true);
      if (healthPath === undefined || !models) {
        const listed = await this.ask('/models', false);
        if (!models) this.models = this.listedModels(listed);
      }
      this.latencyMilliseconds = Math.round(performance.now() - this.probedAt);
    } catch (error) {
      this.options.report(error);
      return;
    }
    this.options.report();
  }

  /** @throws Error where the status says that the server is not well */
  private async ask(path: string, absolute: boolean): Promise<Buffer> {
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
    const response = await this.origin.request({ method: 'GET', path, absolute, signal });
    if (response.status >= 300 && (absolute || !this.mayHideModels(response.status))) {
      response.body.cancel();
      throw new Error(`${path} answered ${response.status}`);
    }
    return response.body.readAll(ANSWER_LIMITS);
  }

  /** A server with configured models need not list them, nor show them to one who has no key for it. */
  private mayHideModels(status: number): boolean {
    const { models, byok } = this.settings;
    return models !== undefined && (WITHOUT_LIST.has(status) || (byok && (status === 401 || status === 403)));
  }

  private listedModels(body: Buffer): readonly ServedModel[] {
    const excess = excessOf(body, MODELS_JSON);
    if (excess) throw excess;
    const list = parseJsonObject(body);
    if (!Array.isArray(list?.data)) throw new Error('/models answered no list');
    return objectsOf(list.data)
      .filter((entry): entry is JsonObject & { id: string } => isModelName(entry.id))
      .slice(0, MODELS)
      .map((entry) => this.servedModel(entry.id, entry.id, entry));
  }

  private servedModel(id: string, upstream: string, entry: JsonObject = {}, audio?: AudioSettings): ServedModel {
    const { supports } = this.settings;
    const hasAudio = supports.includes('transcribe') || supports.includes('speech');
    return {
      id,
      upstream,
      created: Number.isSafeInteger(entry.created) ? (entry.created as number) : this.startedAt,
      ownedBy: typeof entry.owned_by === 'string' ? entry.owned_by : this.options.owner,
      capabilities: supports,
      ...(hasAudio && { audio: audioTraits({ ...this.settings.audio, ...audio }) }),
    };
  }
}

function isModelName(id: unknown): boolean {
  return typeof id === 'string' && id !== '' && id.length <= NAME_CHARACTERS && !CONTROL_CHARACTERS.test(id);
}
