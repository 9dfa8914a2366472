import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import WebSocket from 'ws';
import { inTurn } from './attacks.js';
import type { Attack, AttackKind, Target } from './attacks.js';
import { DOCUMENTS, jsonOf, nested, sizes } from './documents.js';
import { SocketEnd } from './socket-end.js';

/** What is sent on a socket: messages, whole or in pieces, or bytes that are no frames at all. */
type Sent = string | { readonly binary: Uint8Array } | { readonly raw: string } | { readonly ping: number };

interface Script {
  readonly sent: readonly Sent[];
  /** Ids of operations that must be answered. */
  readonly awaited?: readonly string[];
  /** Told before, so that the socket is the administrator's. */
  readonly withToken: boolean;
  /** At the end: whether the server still answers, or the connection is gone at once. */
  readonly ending: 'ask' | 'vanish';
}

/** The id of the operation that ends every script. */
const LAST = 'last';
const QUOTA = 'subscription { quotaUpdated { exceeded } }';
const LONGEST_MESSAGE = 1_100_000;

/** Sockets of graphql-ws before and after their token. */
export const SOCKET_ATTACKS: readonly AttackKind[] = [
  ...DOCUMENTS.map(({ name, most, build }) => ({
    name: `graphql-ws: ${name}`,
    attacks: script(
      sizes(most).map((size) => [subscribe('1', build(size))]),
      ['1'],
    ),
  })),
  each('unknown messages', oddMessages()),
  kind('messages of any shape', fc.array(fc.json({ maxDepth: 3 }), { minLength: 1, maxLength: 5 })),
  kind('no JSON', fc.array(fc.oneof(fc.string(), fc.constantFrom('', '{', '\u0000', '{"type":')), { minLength: 1 })),
  kind(
    'deep messages',
    fc.tuple(sizes(50_000), fc.nat(4)).map(([size, at]) => [deepMessage(size, at)]),
  ),
  kind(
    'huge pings',
    sizes(LONGEST_MESSAGE).map((size) => [message('ping', { payload: { a: 'x'.repeat(size) } })]),
  ),
  kind(
    'many pings',
    sizes(5_000).map((size) => repeated(size, () => message('ping'))),
  ),
  kind(
    'many pongs',
    sizes(5_000).map((size) => repeated(size, () => message('pong'))),
  ),
  kind(
    'pings of the protocol',
    sizes(5_000).map((size) => repeated(size, () => ({ ping: 125 }))),
  ),
  kind(
    'doubled ids',
    fc.constantFrom('1', '', 'x').map((id) => repeated(3, () => subscribe(id, { query: QUOTA }))),
  ),
  kind(
    'a second beginning',
    sizes(1_000).map((size) => repeated(size, () => message('connection_init'))),
  ),
  kind(
    'many subscriptions',
    sizes(1_000).map((size) => repeated(size, (n) => subscribe(`${n}`, { query: QUOTA }))),
  ),
  kind(
    'many queries',
    sizes(1_000).map((size) => repeated(size, (n) => subscribe(`${n}`, { query: '{ me { id } }' }))),
  ),
  kind(
    'subscriptions and their ends',
    sizes(1_000).map((size) => {
      return repeated(size, () => [subscribe('1', { query: QUOTA }), message('complete', { id: '1' })]).flat();
    }),
  ),
  kind(
    'ends of unknown ids',
    sizes(5_000).map((size) => repeated(size, (n) => message('complete', { id: `${n}` }))),
  ),
  kind(
    'long ids',
    sizes(LONGEST_MESSAGE).map((size) => [subscribe('x'.repeat(size), { query: '{ me { id } }' })]),
  ),
  each(
    'odd payloads',
    oddValues().flatMap((value) => [0, 1, 2, 3, 4].map((at) => oddSubscribe(value, at))),
  ),
  kind(
    'binary messages',
    fc.array(
      fc.uint8Array({ maxLength: 200 }).map((binary) => ({ binary })),
      { minLength: 1 },
    ),
  ),
  kind('binary JSON', fc.constant([{ binary: Buffer.from(message('ping')) }])),
  kind(
    'a message over the limit',
    fc.constantFrom(1_048_577, 4_000_000).map((size) => ['x'.repeat(size)]),
  ),
  {
    name: 'graphql-ws: half a frame',
    attacks: fc.record({ withToken: fc.boolean() }).map(({ withToken }) => {
      return attackOf({ sent: [{ raw: '\x81\xfe\xff' }], withToken, ending: 'vanish' });
    }),
  },
  each(
    'broken frames',
    brokenFrames().map((raw) => ({ raw })),
  ),
];

/** A frame with a reserved opcode or bit, without a mask, of too great a length, never ended, or closed oddly. */
function brokenFrames(): string[] {
  const mask = '\x00\x00\x00\x00';
  return [
    `\x83\x80${mask}`,
    `\x8f\x80${mask}`,
    `\xf1\x80${mask}`,
    '\x81\x05hello',
    `\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff${mask}`,
    `\x81\xff\x00\x00\x00\x00\x7f\xff\xff\xff${mask}`,
    `\x80\x80${mask}`,
    `\x01\x81${mask}{`.repeat(1_000),
    `\x81\x82${mask}\xc3\x28`,
    `\x88\x81${mask}\x03`,
    `\x88\x82${mask}\x00\x00`,
    `\x88\x82${mask}\x03\xed`,
    `\x89\xfe\x00\x80${mask}${'x'.repeat(128)}`,
    'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
  ];
}

function oddMessages(): string[] {
  const types = ['start', 'connection_ack', 'next', 'error', 'ka', '__proto__', 'constructor', '', 'PING'];
  return [
    ...types.map((type) => message(type)),
    '{}',
    '[]',
    'null',
    '5',
    '"ping"',
    '{"type":5}',
    '{"type":null}',
    '{"type":["ping"]}',
    '{"type":"subscribe"}',
    '{"type":"complete"}',
    '{"type":"complete","id":5}',
    '{"type":"pong","payload":5}',
    '{"type":"ping","__proto__":{"id":"1"}}',
  ];
}

function oddValues(): unknown[] {
  return [null, 5, '', [], {}, true, 'x'.repeat(1_000), ['{ me { id } }'], { a: 1 }, -1, nested(100)];
}

function oddSubscribe(value: unknown, at: number): string {
  const payload = { query: '{ me { id } }', variables: {}, operationName: null, extensions: {} };
  const name = ['query', 'variables', 'operationName', 'extensions'][at];
  if (name === undefined) return jsonOf({ type: 'subscribe', id: '1', payload: value });
  return jsonOf({ type: 'subscribe', id: '1', payload: { ...payload, [name]: value } });
}

function deepMessage(size: number, at: number): string {
  const deep = nested(size);
  if (at === 0) return jsonOf(deep);
  if (at === 1) return message('ping', { payload: deep });
  if (at === 2) return message('connection_init', { payload: deep });
  if (at === 3) return message('subscribe', { id: '1', payload: { query: '{ me { id } }', extensions: deep } });
  return message('complete', { id: deep });
}

function message(type: string, members: object = {}): string {
  return jsonOf({ type, ...members });
}

function subscribe(id: string, payload: object): string {
  return message('subscribe', { id, payload });
}

function repeated<T>(count: number, make: (number: number) => T): T[] {
  return Array.from({ length: count }, (_, number) => make(number));
}

function kind(name: string, sent: fc.Arbitrary<readonly Sent[]>): AttackKind {
  return { name: `graphql-ws: ${name}`, attacks: script(sent) };
}

/** Sends each on a socket of its own. */
function each(name: string, pieces: readonly Sent[]): AttackKind {
  const attacks = fc.boolean().map((withToken) => {
    return inTurn(pieces.map((piece) => attackOf({ sent: [piece], withToken, ending: 'ask' })));
  });
  return { name: `graphql-ws: ${name}`, attacks };
}

function script(sent: fc.Arbitrary<readonly Sent[]>, awaited?: readonly string[]): fc.Arbitrary<Attack> {
  const ending = fc.constantFrom('ask' as const, 'ask' as const, 'ask' as const, 'vanish' as const);
  return fc.record({ sent, withToken: fc.boolean(), ending }).map((given) => attackOf({ ...given, awaited }));
}

function attackOf(script: Script): Attack {
  const { sent, withToken, ending } = script;
  const [first] = sent;
  const shown = (typeof first === 'string' ? first : JSON.stringify(first))?.slice(0, 120);
  const about = `${sent.length} messages like ${shown} (${withToken ? 'a' : 'no'} token, then ${ending})`;
  return { about, launch: (target) => play(target, script) };
}

async function play(
  { url, token, answerMs }: Target,
  { sent, awaited = [], withToken, ending }: Script,
): Promise<string | undefined> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  const end = new SocketEnd(socket, answerMs);
  await once(socket, 'open');
  if (withToken) {
    socket.send(message('connection_init', { payload: { authorization: `Bearer ${token}` } }));
    await end.until(({ type }) => type === 'connection_ack');
  }
  for (const piece of sent) write(socket, piece);
  if (ending === 'vanish') {
    for (let turns = 0; turns < sent.length % 20; turns += 1) await turn();
    socket.terminate();
    return end.problem;
  }
  // Whatever happened before, a socket that is open answers; one without a token is told to close.
  if (socket.readyState === socket.OPEN) socket.send(subscribe(LAST, { query: '{ health { status } }' }));
  await Promise.all([...awaited, LAST].map((id) => end.until((told) => told.id === id)));
  if (socket.readyState === socket.OPEN) socket.close(1000);
  await end.closed();
  return end.problem;
}

function write(socket: WebSocket, piece: Sent): void {
  if (socket.readyState !== socket.OPEN) return;
  if (typeof piece === 'string') return socket.send(piece);
  if ('binary' in piece) return socket.send(piece.binary);
  if ('ping' in piece) return socket.ping('x'.repeat(piece.ping));
  // It has no other way for what is no frame.
  (socket as unknown as { _socket: Socket })._socket.write(piece.raw, 'latin1');
}
