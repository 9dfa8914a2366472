import { once } from 'node:events';
import { connect } from 'node:net';
import type { Random } from '../../../crash/random.js';
import { DOCUMENTS, jsonOf } from '../../../support/fuzz/documents.js';
import { pause } from '../actor.js';
import type { Actor } from '../actor.js';
import { RawSocket } from '../raw-socket.js';
import { signIn } from './callers.js';

const ENTITIES = 'query ($r: [_Any!]!) { _entities(representations: $r) { __typename } }';
const TYPES = ['User', 'Tenant', 'Model', 'ApiToken', 'Nothing', '__proto__'];
const PINGS_AT_ONCE = 200;

/** Sign-ins that fail would end those of everybody at this address. */
const FLOOD_DOCUMENTS = DOCUMENTS.filter(({ name }) => name !== 'sign-ins that fail');

/** Nobody in particular, who asks GraphQL for references and costly documents. */
export const graphqlFloods: Actor = {
  name: 'anonymous GraphQL',
  copies: 2,
  turn: async ({ site, random, signal }) => {
    const body = random.chance(0.5) ? referencesBody(random) : documentBody(random);
    const response = await fetch(`${site.anyLife(random).origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    await pause(random.between(20, 200), signal);
    return `${response.status}${text.includes('internal_error') ? ', failed' : ''}`;
  },
};

/** Sockets that send pings and never read what comes back. */
export const pingFloods: Actor = {
  name: 'ping floods',
  copies: 3,
  turn: async (scene) => {
    const { site, random, signal } = scene;
    const { access_token: token } = await signIn(scene, 'pinger@example.test');
    const socket = await RawSocket.open(site.anyLife(random).origin, token);
    const ofProtocol = random.chance(0.5);
    const until = performance.now() + random.between(2_000, 20_000);
    socket.stopReading();
    try {
      while (socket.isOpen && !signal.aborted && performance.now() < until) {
        for (let ping = 0; ping < PINGS_AT_ONCE && !socket.isFull; ping += 1) {
          if (ofProtocol) socket.ping();
          else socket.send({ type: 'ping', payload: { a: 'x'.repeat(100) } });
        }
        await pause(20, signal);
      }
      return socket.isOpen ? 'left' : 'closed by the server';
    } finally {
      socket.destroy();
    }
  },
};

/** Connections that say nothing, or half of something. */
export const halfOpen: Actor = {
  name: 'half-open connections',
  copies: 40,
  turn: async ({ site, random, signal }) => {
    const { port } = new URL(site.anyLife(random).origin);
    const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
    const half = random.pick([
      '',
      'GET /health HT',
      'GET /health HTTP/1.1\r\nHost: a\r\n',
      'POST /graphql HTTP/1.1\r\nHost: a\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"query":',
      'POST /graphql HTTP/1.1\r\nHost: a\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{',
    ]);
    if (half !== '') socket.write(half);
    socket.resume();
    const over = AbortSignal.any([signal, AbortSignal.timeout(random.between(1_000, 60_000))]);
    const outcome = await once(socket, 'close', { signal: over }).then(
      () => 'closed by the server',
      () => 'left',
    );
    socket.destroy();
    return outcome;
  },
};

function referencesBody(random: Random): string {
  const size = random.between(1, 700);
  const references = Array.from({ length: size }, (_, number) => ({
    __typename: random.pick(TYPES),
    id: `x_${number}`,
  }));
  const odd = random.chance(0.2) ? [1, null, 'User', {}] : [];
  return JSON.stringify({ query: ENTITIES, variables: { r: [...references, ...odd] } });
}

/** Of any size up to what the server reads from nobody in particular, and a little more. */
function documentBody(random: Random): string {
  const { most, build } = random.pick(FLOOD_DOCUMENTS);
  const largest = Math.min(most, 10_000);
  return jsonOf(build(Math.max(1, Math.round(largest ** random.next()))));
}
