import { createClient as createSseClient } from 'graphql-sse';
import { createClient as createWsClient } from 'graphql-ws';
import WebSocket from 'ws';
import type { Platform } from './platform.js';

/** A chat request that a scripted backend answers. */
export const CHAT = { model: 'scripted', messages: [{ role: 'user', content: 'Say hello.' }] } as const;

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
  leave(): Promise<void>;
}

/** Opens chat streams as real clients do, one method for each transport. */
export class ChatTransports {
  constructor(
    private readonly platform: Platform,
    private readonly token: string,
  ) {}

  /** Every transport with its name. */
  get all(): readonly (readonly [string, () => Promise<OpenChat>])[] {
    return [
      ['REST', () => this.rest()],
      ['graphql-ws', () => this.ws()],
      ['graphql-sse', () => this.sse()],
    ];
  }

  /** @param signal aborts the request at any time */
  fetch(body: object = { ...CHAT, stream: true }, signal?: AbortSignal): Promise<Response> {
    return fetch(`${this.platform.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    });
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

  wsClient() {
    return createWsClient({
      url: `${this.platform.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${this.token}` },
      retryAttempts: 0,
    });
  }

  /** @param idempotencyKey of the operation */
  async ws(idempotencyKey?: string): Promise<OpenChat> {
    return openGraphql(this.wsClient() as never, idempotencyKey);
  }

  /** @param idempotencyKey of the operation */
  async sse(idempotencyKey?: string): Promise<OpenChat> {
    const headers: Record<string, string> = { authorization: `Bearer ${this.token}` };
    if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
    return openGraphql(createSseClient({ url: `${this.platform.url}/graphql`, headers, retryAttempts: 0 }) as never);
  }
}

interface GraphqlClient {
  iterate(operation: object): AsyncIterableIterator<ChatEvent>;
  dispose(): unknown;
}

function openGraphql(client: GraphqlClient, idempotencyKey?: string): OpenChat {
  const iterator = client.iterate({ ...CHAT_OPERATION, ...(idempotencyKey && { extensions: { idempotencyKey } }) });
  return {
    next: async () => ((await iterator.next()).value as ChatEvent | undefined)?.data?.chatCompletionStream?.raw,
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
