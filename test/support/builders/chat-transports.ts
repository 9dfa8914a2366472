import type { Client as WsClient } from 'graphql-ws';
import { CHAT } from './chat-request.js';
import type { Gateway } from '../servers/gateway.js';
import { sseClient, wsClient } from './graphql-clients.js';

/** The subscription that streams the answer to `CHAT`. */
export const CHAT_OPERATION = {
  query: 'subscription ($body: JSON!) { chatCompletionStream(body: $body) { raw } }',
  variables: { body: CHAT },
} as const;

/** What GraphQL clients get of a stream. */
export interface ChatEvent {
  readonly data?: { readonly chatCompletionStream?: { readonly raw: object } } | null;
  readonly errors?: readonly { readonly extensions?: unknown }[];
}

/** A chat stream that a client reads through one of the transports. */
export interface OpenChat {
  /** Resolves with the next chunk, undefined at the end. */
  next(): Promise<object | undefined>;
  /** The errors that have ended it over GraphQL; over REST they are its last chunk. */
  errors?(): unknown;
  leave(): Promise<void>;
}

/** Opens chat streams as real clients do, one method for each transport. */
export class ChatTransports {
  /** @param caller whoever opens them */
  constructor(private readonly caller: Pick<Gateway, 'platform' | 'token'>) {}

  /** Every transport with its name. */
  get all(): readonly (readonly [string, () => Promise<OpenChat>])[] {
    return [
      ['REST', () => this.rest()],
      ['graphql-ws', () => this.ws()],
      ['graphql-sse', () => this.sse()],
    ];
  }

  /** Opens a stream through the transport of a name. */
  open(name: string): Promise<OpenChat> {
    const open = new Map(this.all).get(name);
    if (!open) throw new Error(`There is no transport ${name}.`);
    return open();
  }

  /** @param signal aborts the request at any time */
  fetch(body: object = { ...CHAT, stream: true }, signal?: AbortSignal): Promise<Response> {
    const { platform, token } = this.caller;
    return platform.send('POST', '/v1/chat/completions', { token, body, signal });
  }

  async rest(): Promise<OpenChat> {
    const controller = new AbortController();
    const frames = framesOf(await this.fetch(undefined, controller.signal));
    return {
      next: async () => {
        const { value } = await frames.next();
        return value === undefined || value === 'data: [DONE]' ? undefined : (JSON.parse(value.slice(6)) as object);
      },
      leave: async () => controller.abort(),
    };
  }

  wsClient(): WsClient {
    const { platform, token } = this.caller;
    return wsClient({ url: platform.url, token }, { retryAttempts: 0 });
  }

  /** @param idempotencyKey of the operation */
  async ws(idempotencyKey?: string): Promise<OpenChat> {
    return openGraphql(this.wsClient() as never, idempotencyKey);
  }

  /** @param idempotencyKey of the operation */
  async sse(idempotencyKey?: string): Promise<OpenChat> {
    const { platform, token } = this.caller;
    const headers = { authorization: `Bearer ${token}`, ...(idempotencyKey && { 'idempotency-key': idempotencyKey }) };
    return openGraphql(sseClient({ url: platform.url, token }, { headers, retryAttempts: 0 }) as never);
  }
}

interface GraphqlClient {
  iterate(operation: object): AsyncIterableIterator<ChatEvent>;
  dispose(): unknown;
}

function openGraphql(client: GraphqlClient, idempotencyKey?: string): OpenChat {
  const iterator = client.iterate({ ...CHAT_OPERATION, ...(idempotencyKey && { extensions: { idempotencyKey } }) });
  let last: ChatEvent | undefined;
  return {
    next: async () => {
      last = (await iterator.next()).value as ChatEvent | undefined;
      return last?.data?.chatCompletionStream?.raw;
    },
    errors: () => last?.errors,
    leave: async () => {
      await iterator.return?.();
      await client.dispose();
    },
  };
}

async function* framesOf(response: Response): AsyncGenerator<string, undefined> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes as Uint8Array, { stream: true });
    const frames = text.split('\n\n');
    text = frames.pop() ?? '';
    yield* frames;
  }
  return undefined;
}
