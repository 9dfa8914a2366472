import { connect } from 'node:net';
import { eventually } from '../../../support/probes/eventually.js';
import { request } from '../../../crash/client.js';
import type { Life } from '../../../crash/replica.js';
import { MODEL } from '../../../crash/upstream.js';
import { pause } from '../actor.js';
import type { Actor } from '../actor.js';
import { RawSocket } from '../raw-socket.js';
import { signIn } from './callers.js';

const QUERY = 'subscription ($body: JSON!) { chatCompletionStream(body: $body) { choices { delta { content } } } }';
/** How soon a model server must see that a session has ended. */
export const PROMISED_MS = 1_000;

/** Sessions that end in the middle of an answer, whose clients ignore whatever the server tells them. */
export const revokedSessions: Actor = {
  name: 'revoked sessions',
  copies: 2,
  turn: async (scene) => {
    const { site, random, signal, mark, tally } = scene;
    const tokens = await signIn(scene, 'leaver@example.test');
    const way = random.chance(0.5) ? 'socket' : 'sse';
    const body = {
      model: MODEL,
      messages: [{ role: 'user', content: mark }],
      pace: { pieces: 3_000, milliseconds: random.between(5, 50) },
    };
    const life = site.anyLife(random);
    const client = await (way === 'socket' ? overSocket : overSse)(life, tokens.access_token, body);
    try {
      const seen = await eventually('the model server is asked', 10, () => site.seen(mark));
      await pause(random.between(0, 1_000), signal);
      const { status } = await request(site.anyLife(random), 'POST', '/v1/auth/logout', { body: tokens });
      if (status !== 200) return `logout ${status}`;
      const startedAt = performance.now();
      const closedAt = await Promise.race([seen.closed, pause(10_000, signal)]);
      if (signal.aborted) return 'over';
      const milliseconds = (closedAt ?? performance.now()) - startedAt;
      tally.time(`from a logout to the end of the upstream, ${way}`, milliseconds);
      await pause(random.between(0, 2_000), signal);
      return milliseconds <= PROMISED_MS ? `${way} ended in time` : `${way} ended too late`;
    } finally {
      client.destroy();
      site.forget(mark);
    }
  },
};

async function overSocket({ origin }: Life, token: string, body: object): Promise<{ destroy(): void }> {
  const socket = await RawSocket.open(origin, token);
  socket.send({ type: 'subscribe', id: '1', payload: { query: QUERY, variables: { body } } });
  return socket;
}

async function overSse({ origin }: Life, token: string, body: object): Promise<{ destroy(): void }> {
  const { port } = new URL(origin);
  const text = JSON.stringify({ ...body, stream: true });
  const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
  return socket.pause();
}
