import type { Logger } from 'pino';
import type { CheckState } from '../telemetry/health.js';
import type { BlobStore } from './blob.types.js';

/** Anybody may ask how the server does; a store that answers is asked no more often. */
const KEEP_MS = 5_000;

interface BlobHealthParts {
  readonly store: BlobStore;
  /** Whether every process has the same store. */
  readonly isShared: boolean;
  readonly lease: { readonly alive: number };
  readonly log: Logger;
}

/** Looks how the store of files does. */
export class BlobHealth {
  private checked: { readonly at: number; readonly state: CheckState } | undefined;
  private isDivided = false;

  constructor(private readonly parts: BlobHealthParts) {}

  /** `degraded` where several processes serve, and each has a data folder; the answer of five seconds ago is kept. */
  async check(signal?: AbortSignal): Promise<CheckState> {
    const now = performance.now();
    if (!this.checked || now - this.checked.at > KEEP_MS) this.checked = { at: now, state: await this.look(signal) };
    return this.checked.state;
  }

  /** @throws where the signal has ended it */
  private async look(signal: AbortSignal | undefined): Promise<CheckState> {
    const { store, isShared, lease } = this.parts;
    try {
      await store.check(signal);
    } catch (error) {
      if (signal?.aborted) throw error;
      return 'down';
    }
    this.noteDivided(!isShared && lease.alive > 1);
    return this.isDivided ? 'degraded' : 'ok';
  }

  private noteDivided(isDivided: boolean): void {
    if (isDivided && !this.isDivided) {
      this.parts.log.warn(
        'several processes serve without S3_URL: each stores files in its own data folder, and cannot read those of the others',
      );
    }
    this.isDivided = isDivided;
  }
}
