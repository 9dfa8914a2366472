import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Running } from '../comparison.js';
import type { Target } from '../load.js';
import { residentKib } from '../processes.js';
import type { Figure } from '../section.js';
import { makeRecording } from './echo-gateway.js';

const VIEWERS = 50;
const EVENTS = 8_000;
const EVENT_BYTES = 1_000;
/** By then nothing more is sent to who does not read, and most garbage is collected. */
const SETTLED_MS = 15_000;
const ADD = `
  INSERT INTO live_events (recording_id, id, type, data)
  SELECT $1, n, 'PARTIAL', json_build_object('text', repeat('x', $2)) FROM generate_series(1, $3) AS n`;
const QUERY = `subscription ($id: ID!) { transcriptionStream(recordingId: $id) { sequence type data } }`;

/** What viewers cost who have asked for the events of a live transcription and do not read them. */
export async function slowViewers({ target, server, database }: Running & { database: string }): Promise<Figure[]> {
  const id = await makeRecording(target, { method: 'live' });
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  await client.query(ADD, [id, EVENT_BYTES, EVENTS]);
  await client.end();
  // As many who read: what they leave behind is what the heap grows by for any load, and not what a viewer holds.
  await Promise.all(Array.from({ length: VIEWERS }, () => watch(target, id, true)));
  await sleep(SETTLED_MS);
  const before = residentKib(server.pid);
  const sockets = await Promise.all(Array.from({ length: VIEWERS }, () => watch(target, id, false)));
  await sleep(SETTLED_MS);
  const added = (residentKib(server.pid) - before) / 1_024;
  const startedAt = performance.now();
  await watch(target, id, true);
  const seconds = (performance.now() - startedAt) / 1_000;
  for (const socket of sockets) socket.destroy();
  return [
    {
      row: `${VIEWERS} viewers who do not read: extra memory each, KiB`,
      value: (1_024 * added) / VIEWERS,
      reach: { atMost: 256 },
    },
    { row: 'beside them one who reads: events/s', value: EVENTS / seconds },
  ];
}

/** Asks for all events; whoever reads leaves behind the last one, the others are left waiting. */
async function watch({ origin, headers }: Target, id: string, reads: boolean): Promise<Socket> {
  const { host, hostname, port } = new URL(origin);
  const body = JSON.stringify({ query: QUERY, variables: { id } });
  const all = {
    host,
    ...headers,
    accept: 'text/event-stream',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(`POST /graphql HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  const [first] = (await once(socket, 'data')) as [Buffer];
  if (!first.toString('latin1').startsWith('HTTP/1.1 200')) throw new Error(`It was refused: ${first.toString()}`);
  socket.pause();
  if (!reads) return socket;
  let tail = first.toString('latin1');
  for await (const piece of socket as AsyncIterable<Buffer>) {
    tail = (tail + piece.toString('latin1')).slice(-2 * EVENT_BYTES - 1_000);
    if (tail.includes(`"sequence":${EVENTS},`)) return socket.destroy();
  }
  throw new Error('The events ended too early.');
}
