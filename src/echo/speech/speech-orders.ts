import type { CallOwner } from '../../access/caller.js';
import type { CallContext } from '../../inference/domain.js';
import type { SealedStore } from '../../platform/cluster/sealed-store.js';
import type { SecretBox } from '../../platform/crypto/secret-box.js';
import { parseJsonObject } from '../../platform/json/json-object.js';
import type { SpeechOrder } from './speech-request.js';

const SECONDS = 5 * 60;
const PURPOSE = 'speech-order';
/** Of texts that wait in the memory of this process, in UTF-16 units. */
const MOST_CHARACTERS = 64 * 1024 * 1024;

/** A text whose speech may be fetched. */
export interface OrderedSpeech {
  readonly caller: CallOwner;
  readonly order: SpeechOrder;
  readonly context: Omit<CallContext, 'signal'>;
}

interface KeptOrder extends OrderedSpeech {
  readonly timer: NodeJS.Timeout;
  hasBegun: boolean;
}

/**
 * Keeps what is to be spoken until it is fetched, which can be done once: in this process, with the request that asked,
 * and for other replicas sealed in Redis, where there is one. Never on a disk.
 */
export class SpeechOrders {
  private readonly kept = new Map<string, KeptOrder>();
  private characters = 0;

  constructor(
    private readonly store: SealedStore,
    private readonly secretBox: Pick<SecretBox, 'seal' | 'unseal'>,
  ) {}

  /** @param key of 128 random bits @throws Unavailable */
  async put(key: string, ordered: OrderedSpeech): Promise<void> {
    const timer = setTimeout(() => this.drop(key), SECONDS * 1_000).unref();
    this.kept.set(key, { ...ordered, timer, hasBegun: false });
    this.characters += ordered.order.input.length;
    // The oldest go first: whoever asks for many at once fetches the last.
    for (const [oldest, { hasBegun }] of this.kept) {
      if (this.characters <= MOST_CHARACTERS) break;
      if (!hasBegun && oldest !== key) this.drop(oldest);
    }
    const { caller, order, context } = ordered;
    // A caller's own key never leaves the process.
    if (context.byok) return;
    const { requestId, serverRequestId } = context;
    const content = Buffer.from(JSON.stringify({ caller, order, context: { requestId, serverRequestId } }));
    await this.store.set(handleOf(key), this.secretBox.seal(PURPOSE, content), SECONDS, caller.tenantId);
  }

  /** Undefined where it is too old, or was fetched. @throws Unavailable */
  async find(key: string): Promise<OrderedSpeech | undefined> {
    const kept = this.kept.get(key);
    if (kept) return kept;
    const sealed = await this.store.get(handleOf(key));
    if (!sealed || sealed.length === 0) return undefined;
    return parseJsonObject(this.secretBox.unseal(PURPOSE, sealed)) as unknown as OrderedSpeech;
  }

  /** Takes it for whoever fetches it now; false where somebody has. @throws Unavailable */
  async begin(key: string): Promise<boolean> {
    const ordered = await this.find(key);
    const kept = this.kept.get(key);
    if (!ordered || kept?.hasBegun) return false;
    if (kept) kept.hasBegun = true;
    else this.kept.set(key, { ...ordered, timer: setTimeout(() => undefined, 0), hasBegun: true });
    if (!kept) this.characters += ordered.order.input.length;
    clearTimeout(kept?.timer);
    if (!ordered.context.byok) await this.store.set(handleOf(key), Buffer.alloc(0), SECONDS, ordered.caller.tenantId);
    return true;
  }

  /** It was sent, or cannot be. */
  end(key: string): void {
    this.drop(key);
  }

  /** Drops all. */
  close(): void {
    for (const key of this.kept.keys()) this.drop(key);
  }

  private drop(key: string): void {
    const kept = this.kept.get(key);
    if (!kept) return;
    clearTimeout(kept.timer);
    this.kept.delete(key);
    this.characters -= kept.order.input.length;
  }
}

function handleOf(key: string): string {
  return `speech:${key}`;
}
