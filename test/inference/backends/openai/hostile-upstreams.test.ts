import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CHAT } from '../../../support/builders/chat-request.js';
import { eventually } from '../../../support/probes/eventually.js';
import { startPlatform } from '../../../support/servers/platform.js';
import type { Platform } from '../../../support/servers/platform.js';
import { repeatedly, startRawServer } from '../../../support/servers/raw-server.js';
import type { RawScript, RawServer } from '../../../support/servers/raw-server.js';
import { addRuntimeBackend } from '../../../support/servers/runtime-backend.js';

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const ERROR_HEAD = 'HTTP/1.1 500 No\r\ncontent-type: application/json\r\n';

describe('model servers that break the rules', () => {
  let hostile: Hostile[];
  let platform: Platform;
  let token: string;

  beforeAll(async () => {
    hostile = await Promise.all([...endingServers(), ...endlessServers()].map(startHostile));
    platform = await startPlatform({ EGRESS_ALLOW: '127.0.0.0/8', RATE_LIMIT_REQUESTS_PER_MINUTE: '0' });
    token = (await platform.login()).access_token;
  });
  afterAll(closeAll);

  it('leave the process alone in every probe, from the start on, and are told to be down', async () => {
    for (const { id, server } of hostile) {
      await addBackend({ name: id, base_url: server.url, models: [{ id }], health_path: '/health' });
      await addBackend({ name: `${id}-lists`, base_url: server.url, timeout_seconds: 30 });
    }

    await platform.restart();
    token = (await platform.login()).access_token;

    const up = await eventually('the servers are down', 50, upWhenFew);
    expect(up).toEqual(['builtin']);
  });

  it('end a call in time, of whatever form', async () => {
    const asks: [string, string, object][] = [
      ['whole', '/v1/chat/completions', CHAT],
      ['streamed', '/v1/chat/completions', { ...CHAT, stream: true }],
      ['embeddings', '/v1/embeddings', { input: 'Hi' }],
      ['responses', '/v1/responses', { input: 'Hi' }],
    ];
    const answered = async ([form, path, body]: (typeof asks)[number], { id, what, status }: Hostile) => {
      const answer = await platform.request('POST', path, { token, body: { ...body, model: id } });
      return [form, what, answer.status, status] as const;
    };

    const ending = hostile.filter(({ status }) => status !== undefined);
    const answers = await Promise.all(asks.flatMap((ask) => ending.map((server) => answered(ask, server))));

    expect(answers.filter(([, , status, expected]) => status !== expected)).toEqual([]);
  });

  it('are not asked where they redirect to, and get no second request for one call', async () => {
    const redirecting = hostile.find(({ what }) => what === 'redirects') as Hostile;
    const posts = (): number => redirecting.server.requests.filter((text) => text.startsWith('POST')).length;
    const before = posts();

    await platform.request('POST', '/v1/completions', { token, body: { model: redirecting.id, prompt: 'Hi' } });

    expect(posts()).toBe(before + 1);
  });

  async function closeAll(): Promise<void> {
    await platform.close();
    await Promise.all(hostile.map(({ server }) => server.close()));
  }

  async function addBackend(settings: { readonly base_url: string; readonly [name: string]: unknown }): Promise<void> {
    const { status } = await addRuntimeBackend(platform, token, {
      timeout_seconds: 0.5,
      models: undefined,
      ...settings,
    });
    expect(status).toBe(201);
  }

  /** The backends that are up, once these are one at most. */
  async function upWhenFew(): Promise<string[] | false> {
    const { body } = await platform.request('GET', '/v1/backends', { token });
    const up = body.data.filter(({ healthy }: { healthy: boolean }) => healthy);
    return up.length <= 1 && up.map(({ backend }: { backend: string }) => backend);
  }
});

function write(text: string): RawScript {
  return (socket) => void socket.write(text);
}

function forEver(head: string, piece: string): RawScript {
  return (socket) => {
    socket.write(head);
    repeatedly(socket, piece, 5);
  };
}

async function startHostile([what, script, status]: [string, RawScript, number?], index: number): Promise<Hostile> {
  return { id: `hostile-${index}`, what, server: await startRawServer(script), status };
}

interface Hostile {
  readonly id: string;
  readonly what: string;
  readonly server: RawServer;
  readonly status?: number;
}

/** What a server does in place of an answer, and what a call of it is then. */
function endingServers(): [string, RawScript, number?][] {
  return [
    ['says nothing', () => undefined, 504],
    ['sends half a head', write('HTTP/1.1 200 OK\r\ncontent-ty'), 504],
    ['announces its answer for ever', forEver('', 'HTTP/1.1 102 Processing\r\n\r\n'), 504],
    ['sends half an error', write(`${ERROR_HEAD}content-length: 99\r\n\r\n{`), 502],
    ['sends an error for ever', forEver(`${ERROR_HEAD}\r\n`, 'x'.repeat(100)), 502],
    ['sends a packed error', write(`${ERROR_HEAD}content-encoding: gzip\r\ncontent-length: 2\r\n\r\n{}`), 502],
    ['resets the connection', (socket) => void socket.resetAndDestroy(), 502],
    ['closes the connection', (socket) => void socket.end(), 502],
    ['switches protocols', write('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'), 502],
    ['speaks another protocol', write('SSH-2.0-OpenSSH_9.2\r\n'), 502],
    ['ends before its length', (socket) => void socket.end(`${HEAD}content-length: 1000\r\n\r\n{}`), 502],
    ['tells two lengths', write(`${HEAD}content-length: 2\r\ncontent-length: 3\r\n\r\n{}}`), 502],
    ['sends a head without end', write(`${HEAD}x-a: ${'x'.repeat(100_000)}`), 502],
    ['redirects', write('HTTP/1.1 307 No\r\nlocation: http://127.0.0.1:9/\r\ncontent-length: 0\r\n\r\n'), 502],
  ];
}

/** Servers that begin an answer, and do not end it: what bounds a call of them takes too long for a test. */
function endlessServers(): [string, RawScript][] {
  return [
    ['sends half a body', write(`${HEAD}content-length: 1000\r\n\r\n{"data"`)],
    ['sends half a chunked body', write(`${HEAD}transfer-encoding: chunked\r\n\r\n5\r\n{"dat`)],
    ['sends one byte after another', forEver(`${HEAD}content-length: 100000\r\n\r\n`, ' ')],
  ];
}
