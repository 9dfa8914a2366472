import { connect } from 'node:net';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { inTurn } from './attacks.js';
import type { Attack, AttackKind, Target } from './attacks.js';
import { sizes } from './documents.js';
import { problemOfAnswer } from './graphql-answers.js';
import { ANSWER_MS, TooSlow } from './send.js';

interface Bytes {
  readonly about: string;
  /** Written one after another. */
  readonly pieces: readonly string[];
  /** What must come in 5 s; the end of the connection always will do. */
  readonly wanted: 'an answer' | 'the end' | 'anything';
}

const HOST = 'Host: platform.test\r\n';
const GET = `GET /health/ready HTTP/1.1\r\n${HOST}\r\n`;
const CHUNKED = `POST /graphql HTTP/1.1\r\n${HOST}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`;
const UPGRADE = `GET /graphql HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\n`;
const LEAVE_MS = 150;

/** Bytes on the port that are no HTTP, or hardly. */
export const RAW_ATTACKS: readonly AttackKind[] = [
  {
    name: 'bytes: any',
    attacks: fc.uint8Array({ minLength: 1, maxLength: 500 }).map((bytes) => {
      return attackOf({ about: '', pieces: [`${Buffer.from(bytes).toString('latin1')}\r\n\r\n`], wanted: 'anything' });
    }),
  },
  {
    name: 'bytes: broken heads',
    attacks: all(brokenHeads().map((head) => ({ about: head.slice(0, 200), pieces: [head], wanted: 'an answer' }))),
  },
  {
    name: 'bytes: broken bodies',
    attacks: all(brokenBodies().map((pieces) => ({ about: pieces.join('').slice(-100), pieces, wanted: 'an answer' }))),
  },
  {
    name: 'bytes: half, then silence',
    attacks: fc.tuple(fc.constantFrom(GET, CHUNKED, `${UPGRADE}\r\n`), fc.nat()).map(([whole, end]) => {
      const half = whole.slice(0, end % whole.length);
      return attackOf({ about: half.slice(-60), pieces: [half], wanted: 'anything' });
    }),
  },
  {
    name: 'bytes: one at a time',
    attacks: fc.constantFrom(GET, `${CHUNKED}0\r\n\r\n`).map((whole) => {
      return attackOf({ about: whole.slice(0, 30), pieces: [...whole], wanted: 'an answer' });
    }),
  },
  {
    name: 'bytes: pipelined, then garbage',
    attacks: sizes(300).map((size) => {
      return attackOf({
        about: `${size} requests`,
        pieces: [`${GET.repeat(size)}\u0000garbage\r\n\r\n`],
        wanted: 'the end',
      });
    }),
  },
  {
    name: 'bytes: heads without end',
    attacks: fc.tuple(sizes(200_000), fc.constantFrom('a', 'a: b\r\n', '\r\n', 'GET ')).map(([size, part]) => {
      const start = part.startsWith('a') ? `GET / HTTP/1.1\r\n${HOST}` : '';
      return attackOf({ about: `${size} times ${part}`, pieces: [`${start}${part.repeat(size)}`], wanted: 'anything' });
    }),
  },
  {
    name: 'bytes: chunks',
    attacks: sizes(100_000).map((size) => {
      const body = '1\r\n \r\n'.repeat(size);
      return attackOf({ about: `${size} of one byte`, pieces: [`${CHUNKED}${body}0\r\n\r\n`], wanted: 'an answer' });
    }),
  },
];

function brokenHeads(): string[] {
  return [
    `GET / HTTP/1.1\r\n\r\n`,
    `GET / HTTP/1.1\r\n${HOST}${HOST}\r\n`,
    `GET / HTTP/9.9\r\n${HOST}\r\n`,
    `GET / HTTP/2.0\r\n${HOST}\r\n`,
    'GET /\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n',
    `BREW / HTTP/1.1\r\n${HOST}\r\n`,
    `CONNECT a:1 HTTP/1.1\r\n${HOST}\r\n`,
    `TRACE /health HTTP/1.1\r\n${HOST}\r\n`,
    `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`,
    `GET * HTTP/1.1\r\n${HOST}\r\n`,
    `GET http://[ HTTP/1.1\r\n${HOST}\r\n`,
    `GET //evil.example/%2e%2e HTTP/1.1\r\n${HOST}\r\n`,
    `GET /v1/models/% HTTP/1.1\r\n${HOST}\r\n`,
    `GET /graphql?query=% HTTP/1.1\r\n${HOST}\r\n`,
    `GET /graphql?variables=%5B&query=%7Bhealth%7Bstatus%7D%7D HTTP/1.1\r\n${HOST}\r\n`,
    `GET /\x00 HTTP/1.1\r\n${HOST}\r\n`,
    `GET /\xff HTTP/1.1\r\n${HOST}\r\n`,
    `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n`,
    `GET / HTTP/1.1\r\n${HOST}a: ${'a'.repeat(20_000)}\r\n\r\n`,
    `GET / HTTP/1.1\r\n${HOST}a b: c\r\n\r\n`,
    `GET / HTTP/1.1\r\n${HOST}: c\r\n\r\n`,
    `GET / HTTP/1.1\r\n${HOST}a: b\r\n c\r\n\r\n`,
    `GET / HTTP/1.1\r\n${HOST}a: \x00\r\n\r\n`,
    `GET / HTTP/1.1\r\n${HOST}Expect: the unexpected\r\n\r\n`,
    `GET / HTTP/1.1\r\n${HOST}Authorization: Bearer ${'a.'.repeat(5_000)}\r\n\r\n`,
    `GET /v1/models HTTP/1.1\r\n${HOST}Authorization: a\r\nAuthorization: b\r\n\r\n`,
    `GET /v1/models HTTP/1.1\r\n${HOST}X-Request-Id: \xff\r\ntraceparent: \xff\r\n\r\n`,
    `GET / HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n`,
    `${UPGRADE}\r\n`,
    `${UPGRADE}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x\r\n\r\n`,
    `${UPGRADE}Sec-WebSocket-Version: 99\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    `${UPGRADE}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Extensions: ;;\r\n\r\n`,
    `${UPGRADE}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: ,,\r\n\r\n`,
    `${UPGRADE}Origin: http://evil.example\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    UPGRADE.replace('/graphql', '/v1/models') + '\r\n',
  ];
}

function brokenBodies(): string[][] {
  const post = (headers: string): string =>
    `POST /graphql HTTP/1.1\r\n${HOST}content-type: application/json\r\n${headers}\r\n`;
  return [
    [CHUNKED, 'x\r\n'],
    [CHUNKED, '-1\r\n{}\r\n0\r\n\r\n'],
    [CHUNKED, 'fffffffffffffffff\r\n{}\r\n'],
    [CHUNKED, '2\r\n{}garbage\r\n0\r\n\r\n'],
    [CHUNKED, `2;${'a'.repeat(50_000)}\r\n{}\r\n0\r\n\r\n`],
    [CHUNKED, '2\r\n{}\r\n0\r\na b: c\r\n\r\n'],
    [CHUNKED, `2\r\n{}\r\n0\r\n${'a: b\r\n'.repeat(5_000)}\r\n`],
    [post('content-length: -1\r\n'), '{}'],
    [post('content-length: 1e3\r\n'), '{}'],
    [post('content-length: 2\r\ncontent-length: 3\r\n'), '{}'],
    [post('content-length: 2\r\ntransfer-encoding: chunked\r\n'), '{}'],
    [post('transfer-encoding: gzip\r\n'), '{}'],
    [post('transfer-encoding: chunked, identity\r\n'), '{}'],
    [post('content-length: 99999999999999999999\r\n'), '{}'],
    [post('content-length: 9999999999\r\n'), '{}'],
    [post('content-length: 2\r\n'), '{}garbage\r\n\r\n'],
    [post('content-encoding: gzip\r\ncontent-length: 2\r\n'), '{}'],
    [post('content-length: 10485760\r\nexpect: 100-continue\r\n'), 'x'.repeat(10_485_760)],
  ];
}

function all(bytes: readonly Bytes[]): fc.Arbitrary<Attack> {
  return fc.constant(inTurn(bytes.map(attackOf)));
}

function attackOf({ about, pieces, wanted }: Bytes): Attack {
  return { about: JSON.stringify(about), launch: (target) => play(target, pieces, wanted) };
}

async function play(
  { url, answerMs = ANSWER_MS }: Target,
  pieces: readonly string[],
  wanted: Bytes['wanted'],
): Promise<string | undefined> {
  const { port } = new URL(url);
  const socket = connect({ port: Number(port), host: '127.0.0.1', noDelay: true });
  let received = '';
  const end = Promise.withResolvers<'closed' | 'answered'>();
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
    if (wanted === 'an answer' && isWhole(received)) end.resolve('answered');
  });
  // It is the server's right to close what is no request.
  socket.on('error', () => end.resolve('closed')).on('close', () => end.resolve('closed'));
  for (const piece of pieces) {
    if (!socket.destroyed) socket.write(piece, 'latin1');
    if (pieces.length > 2) await turn();
  }
  const late = sleep(wanted === 'anything' ? LEAVE_MS : answerMs, 'late' as const);
  const ending = await Promise.race([end.promise, late]);
  socket.destroy();
  if (ending === 'late' && wanted !== 'anything') throw new TooSlow(`neither an answer nor an end in ${answerMs} ms`);
  return problemOfBytes(received);
}

/** Whether there is an answer that has the length that it tells. */
function isWhole(received: string): boolean {
  return answersIn(received).some(({ status, length, body }) => {
    return status === 101 || (status >= 200 && length !== undefined && body.length >= length);
  });
}

function problemOfBytes(received: string): string | undefined {
  for (const { status, contentType, body } of answersIn(received)) {
    // Whatever is right is not looked into.
    if (status < 400) continue;
    const problem = problemOfAnswer({ status, contentType, text: Buffer.from(body, 'latin1').toString() });
    if (problem !== undefined) return problem;
  }
  return received === '' || received.startsWith('HTTP/1.1 ')
    ? undefined
    : `this is no answer: ${received.slice(0, 100)}`;
}

function answersIn(received: string) {
  return received.split(/^(?=HTTP\/1\.1 \d)/m).map((text) => {
    const [head = '', ...rest] = text.split('\r\n\r\n');
    const length = /^content-length: (\d+)/im.exec(head)?.[1];
    return {
      status: Number(head.slice(9, 12)),
      contentType: /^content-type: (.*)$/im.exec(head)?.[1] ?? null,
      length: length === undefined ? undefined : Number(length),
      body: rest.join('\r\n\r\n'),
    };
  });
}
