import { hash, hkdfSync, randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { ByokKey, Caller } from '../../access/caller.js';
import { NotFound, PayloadTooLarge } from '../../errors.js';
import type { SealedStore } from '../../platform/cluster/sealed-store.js';
import { seal, unseal } from '../../platform/crypto/sealing.js';
import type { JsonObject } from '../../platform/json/json-object.js';

const SECRET_BYTES = 33;
/** How long a context is kept. */
const TTL_SECONDS = 3_600;
/** 33 bytes are exactly 44 characters, so no two texts mean the same secret. */
const ID = /^resp_([A-Za-z0-9_-]{44})$/;
/** The most bytes of one context. */
const CONTEXT_BYTES = 4 * 1024 * 1024;

/** From what a response can be continued. */
export type ResponseContext = ConversationState & {
  /** What transforms of texts remember of the conversation. */
  readonly memory?: JsonObject | undefined;
};

type ConversationState =
  /** The backend keeps the response under its own id. */
  | {
      readonly kind: 'stored';
      readonly backend: string;
      readonly upstreamId: string;
      /** How many the conversation so far has. */
      readonly tokens?: number;
    }
  /** The conversation so far: what went in, and what came out. */
  | { readonly kind: 'items'; readonly items: readonly JsonObject[] };

/** A new id of a response. It is a capability: its 33 random bytes find and open the context, and nothing else does. */
export function newResponseId(): string {
  return `resp_${randomBytes(SECRET_BYTES).toString('base64url')}`;
}

/**
 * The contexts of responses. An id is not kept anywhere: its secret gives, by HKDF, the handle
 * under which a context lies and the key that opens it, and it opens only for the user and tenant who made it, with the
 * same key of their own where they brought one.
 */
export class ResponseContexts {
  constructor(
    private readonly store: SealedStore,
    private readonly log: Logger,
  ) {}

  /** Keeps a context; one over 4 MiB is remembered as too large. Never fails: what is not kept cannot be continued. */
  async save(caller: Caller, id: string, context: ResponseContext, byok?: ByokKey): Promise<void> {
    const text = Buffer.from(JSON.stringify(context));
    const plaintext = text.length > CONTEXT_BYTES ? Buffer.alloc(0) : text;
    const { handle, key } = keysOf(id);
    try {
      await this.store.set(handle, seal(key, plaintext, ownerOf(caller, byok)), TTL_SECONDS, caller.userId);
    } catch (error) {
      this.log.warn({ err: error }, 'the context of a response could not be kept');
    }
  }

  /**
   * @throws NotFound, the same for an id that is unknown, expired, changed or another's; PayloadTooLarge, or Unavailable
   * where the store does not answer
   */
  async find(caller: Caller, id: string, byok?: ByokKey): Promise<ResponseContext> {
    if (!ID.test(id)) throw unknownResponse();
    const { handle, key } = keysOf(id);
    const sealed = await this.store.get(handle);
    const plaintext = sealed && unseal(key, sealed, ownerOf(caller, byok));
    if (!plaintext) throw unknownResponse();
    if (plaintext.length === 0) throw new PayloadTooLarge(CONTEXT_BYTES, 'The context of the response');
    return JSON.parse(plaintext.toString('utf8')) as ResponseContext;
  }
}

function keysOf(id: string): { handle: string; key: Buffer } {
  const secret = Buffer.from(ID.exec(id)?.[1] ?? '', 'base64url');
  const derive = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', `response ${purpose}`, 32));
  return { handle: `response-context:${derive('handle').toString('base64url')}`, key: derive('key') };
}

function ownerOf({ tenantId, userId }: Caller, byok: ByokKey | undefined): Buffer {
  return Buffer.from(JSON.stringify([tenantId, userId, byok && hash('sha256', byok.apiKey)]));
}

/** The same for an id that is unknown, expired, changed or another's. */
export function unknownResponse(): NotFound {
  return new NotFound('The response does not exist, or is not kept any more.');
}
