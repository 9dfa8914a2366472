import type { Logger } from 'pino';
import type { Origin } from '../../../platform/net/egress.js';
import { repeat } from '../../../platform/async/periodic.js';
import type { Periodic } from '../../../platform/async/periodic.js';
import type { ServedModel } from '../backend.js';
import type { OpenaiSettings } from '../backend-settings.js';
import type { KeyScrubber } from '../openai/key-scrubber.js';

const PROBE_MS = 30_000;
const PROBE_TIMEOUT_MS = 5_000;
const ANSWER_LIMITS = { bytes: 8 * 1024 * 1024, milliseconds: PROBE_TIMEOUT_MS };
/** Statuses of a server that has no list of models. */
const WITHOUT_LIST = new Set([404, 405, 501]);
/** How often the models may be asked for because of requests. */
const REFRESH_MS = 1_000;

/** What a probe asks a server for. */
export interface ProbedList {
  /** Behind the base URL. */
  readonly path: string;
  /** The models of an answer. @throws Error where it is no list */
  read(body: Buffer): readonly ServedModel[];
}

interface ProbeOptions {
  readonly list: ProbedList;
  /** Those that are configured: the server is not asked for them. */
  readonly models?: readonly ServedModel[] | undefined;
  /** Told of each probe: what went wrong, or undefined; and whether that is that no answer came in time. */
  readonly report: (error?: unknown, isSilent?: boolean) => void;
  readonly log: Logger;
  /** What the server may not tell. */
  readonly secrets: KeyScrubber;
}

/** Asks a model server, at the start and every 30 s, how it does and which models it has. */
export class ServerProbe {
  /** Of the last probe that went well; null before it. */
  latencyMilliseconds: number | null = null;
  /** Undefined while a server that has to be asked for its models has never answered. */
  models: readonly ServedModel[] | undefined;
  private readonly task: Periodic;
  private probing: Promise<void> | undefined;
  private probedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly settings: Pick<OpenaiSettings, 'id' | 'health_path' | 'byok'>,
    private readonly origin: Origin,
    private readonly options: ProbeOptions,
  ) {
    this.models = options.models;
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
    if (this.options.models) return;
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
    const { health_path: healthPath } = this.settings;
    const { list, models } = this.options;
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
    try {
      if (healthPath !== undefined) await this.ask(healthPath, true, signal);
      if (healthPath === undefined || !models) {
        const listed = await this.ask(list.path, false, signal);
        if (!models) this.models = list.read(listed);
      }
      this.latencyMilliseconds = Math.round(performance.now() - this.probedAt);
    } catch (error) {
      this.options.report(error, signal.aborted);
      return;
    }
    this.options.report();
  }

  /** @throws Error where the status says that the server is not well */
  private async ask(path: string, absolute: boolean, signal: AbortSignal): Promise<Buffer> {
    const response = await this.origin.request({ method: 'GET', path, absolute, signal });
    if (response.status >= 300 && (absolute || !this.mayHideModels(response.status))) {
      response.body.cancel();
      throw new Error(`${path} answered ${response.status}`);
    }
    return this.options.secrets.scrub(await response.body.readAll(ANSWER_LIMITS));
  }

  /** A server with configured models need not list them, nor show them to one who has no key for it. */
  private mayHideModels(status: number): boolean {
    const isShownToKeys = this.settings.byok && (status === 401 || status === 403);
    return this.options.models !== undefined && (WITHOUT_LIST.has(status) || isShownToKeys);
  }
}
