import type { Logger } from 'pino';
import type { Backend } from './backend.js';
import type { BackendRegistry } from './backend-registry.js';
import { localSettings } from './backend-settings.js';
import { OpenaiBackend } from './openai/openai-backend.js';

/** Model servers, and the port that each listens on where nobody has set another. */
const SERVERS = { ollama: 11_434, vllm: 8_000, 'llama-cpp': 8_080, 'lm-studio': 1_234 } as const;

interface DiscoveryParts {
  readonly registry: BackendRegistry;
  /** Not looked at: our own, and those of servers that are configured already. */
  readonly takenPorts: ReadonlySet<number>;
  readonly healthChanged: (backend: Backend) => void;
  readonly log: Logger;
  /** Of a server that is not found: that is no news. */
  readonly silentLog: Logger;
}

/** Finds model servers on this machine. One that was found stays, healthy or not. */
export class BackendDiscovery {
  private readonly missing: Map<string, number>;

  /** @param servers ids and ports */
  constructor(
    private readonly parts: DiscoveryParts,
    servers: Readonly<Record<string, number>> = SERVERS,
  ) {
    const takenIds = new Set(parts.registry.all.map(({ id }) => id));
    const free = Object.entries(servers).filter(([id, port]) => !takenIds.has(id) && !parts.takenPorts.has(port));
    this.missing = new Map(free);
  }

  /** Asks those that have not been found yet for their models, and adds who answers. */
  async discover(): Promise<void> {
    await Promise.all([...this.missing].map(([id, port]) => this.ask(id, port)));
  }

  private async ask(id: string, port: number): Promise<void> {
    const { registry, healthChanged, log, silentLog } = this.parts;
    const settings = localSettings(id, port);
    const candidate = new OpenaiBackend(settings, silentLog);
    await candidate.refresh();
    await candidate.close();
    if (!candidate.modelsKnown) return;
    this.missing.delete(id);
    registry.put(new OpenaiBackend(settings, log, { healthChanged }));
    log.info({ backend: id, port }, 'a model server was found');
  }
}
