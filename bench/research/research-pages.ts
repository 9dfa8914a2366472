import { setTimeout as sleep } from 'node:timers/promises';
import { callApi } from '../api.js';
import { gateway } from '../contenders.js';
import type { Environment } from '../environment.js';
import { eventLoopDelay, meterSettings, METER_MS } from '../event-loop.js';
import { percentile } from '../load.js';
import type { Target } from '../load.js';
import { residentKib } from '../processes.js';
import type { ServerProcess } from '../processes.js';
import type { Section } from '../section.js';
import { FOUND, HOSTILE, hostAddress, PAGES } from './hosts.js';

const SESSIONS = 5;
const QUICK_HOSTILE = 50;
/** Hosts of hostile pages, and how many of these are asked for at once: as many as a session reads. */
const HOSTS = 20;
const AT_ONCE = 6;
/** One of each kind. */
const WARM_UP_PAGES = 25;
const CALM_MS = 10_000;
const SAMPLE_MS = 10;
const EGRESS = { EGRESS_ALLOW: '127.0.0.0/8', EGRESS_PORTS: '1-65535' };
const BARE = 'undici, linkedom, Readability';

/** What reading one page takes, in milliseconds. */
export interface TimedPages {
  readonly median: number;
  readonly p95: number;
}

/** How long it takes to fetch and read a page. */
export function researchPages(environment: Environment): Section {
  return {
    name: 'research-pages',
    title: 'Reading pages of the web',
    about: `${PAGES} pages of the manuals of PostgreSQL and Apache, one after another, each from a host of its own on this machine. "${BARE}"
fetches a page, makes a tree of it and takes the article, all in one process, without limits. This server asks for the
robots.txt of each host before, guards the connection, reads the page in a child process that goes from page to page,
removes what is hidden, and tells charset, language, date and links. Both begin cold, and run on all cores.`,
    columns: [BARE, 'this server'],
    yardstick: BARE,
    measure: async (column) => {
      const server = await pageServer(environment, PAGES);
      try {
        const printed = await environment.processes.run({
          args: [
            '--import',
            'tsx',
            'bench/research/time-pages.ts',
            column === BARE ? 'bare' : 'server',
            portOf(server),
          ],
          logFile: environment.path('pages.log'),
          underTest: 'on all cores',
        });
        const { median, p95 }: TimedPages = JSON.parse(printed);
        return [
          { row: 'a page, p50, ms', value: median, against: 'share', reach: { atMost: 1.5 } },
          { row: 'a page, p95, ms', value: p95, against: 'share' },
        ];
      } finally {
        await server.stop();
      }
    },
  };
}

/** What pages do to the server that are made to exhaust whoever reads them. */
export function hostilePages(environment: Environment, isQuick: boolean): Section {
  const pages = isQuick ? QUICK_HOSTILE : HOSTILE;
  return {
    name: 'research-hostile-pages',
    title: 'Hostile pages',
    about: `${pages} pages of 25 kinds, such as bombs, 100,000 elements in one another, 200,000 paragraphs, attributes of 5 MB, bodies
without end, broken charsets, scripts alone: ${AT_ONCE} at once, from ${HOSTS} hosts, each asked for by \`POST /v1/researcher/scrape\` as
text. PostgreSQL. The memory is that of the server's process, its highest beyond that after one page of each kind; its children
have their own limits. The event loop's delay is what the server tells in /metrics, without the ${METER_MS} ms that
its meter sleeps; beside it that of ${CALM_MS / 1_000} s without requests.`,
    columns: ['this server'],
    rounds: 1,
    measure: async () => {
      const server = await pageServer(environment, HOSTS);
      const settings = { ...EGRESS, ...meterSettings };
      const running = await gateway(environment, 'this server', { onAllCores: true, settings }).start();
      const { target } = running;
      try {
        await scrapeAll(target, server, 'hostile', WARM_UP_PAGES);
        await eventLoopDelay(target.origin);
        await sleep(CALM_MS);
        const calm = await eventLoopDelay(target.origin);
        const { mebibytes, seconds } = await watched(running.server.pid, () =>
          scrapeAll(target, server, 'hostile', pages),
        );
        const busy = await eventLoopDelay(target.origin);
        return [
          { row: 'extra memory, MiB', value: mebibytes, reach: { atMost: 64 } },
          { row: "event loop's delay, p99, ms", value: busy.p99, reach: { atMost: 20 } },
          { row: "event loop's delay, max, ms", value: busy.max },
          { row: "event loop's delay when calm, max, ms", value: calm.max },
          { row: `${pages} pages, s`, value: seconds },
        ];
      } finally {
        await running.stop();
        await server.stop();
      }
    },
  };
}

/** How long a session takes. */
export function researchSessions(environment: Environment): Section {
  const isTarget = { atMost: 5 };
  return {
    name: 'research-sessions',
    title: 'Research sessions',
    about: `The builtin model, depth 1, ${FOUND} pages of manuals, from the request that begins a session to its last event. Hosts are asked
as they always are: a robots.txt first, then one request at a time. PostgreSQL.`,
    columns: ['ten hosts', 'one host'],
    measure: async (column) => {
      const server = await pageServer(environment, column === 'one host' ? 1 : (SESSIONS + 1) * FOUND);
      const settings = { ...EGRESS, SEARXNG_URL: server.origin, BUILTIN_BACKEND: 'true' };
      const running = await gateway(environment, 'this server', { onAllCores: true, settings }).start();
      try {
        const first = await timeSession(running.target, server);
        const others: number[] = [];
        for (let session = 0; session < SESSIONS; session += 1) others.push(await timeSession(running.target, server));
        others.sort((a, b) => a - b);
        return [
          { row: 'the first session after the start, s', value: first, reach: isTarget },
          { row: `the next ${SESSIONS}, median, s`, value: percentile(others, 0.5), reach: isTarget },
          { row: `the slowest of them, s`, value: others.at(-1) ?? Number.NaN, reach: isTarget },
        ];
      } finally {
        await running.stop();
        await server.stop();
      }
    },
  };
}

function pageServer(environment: Environment, hosts: number): Promise<ServerProcess> {
  return environment.processes.serve({
    args: ['--import', 'tsx', 'bench/research/page-server.ts', String(hosts)],
    logFile: environment.path('pages.log'),
    underTest: false,
  });
}

function portOf({ origin }: ServerProcess): string {
  return new URL(origin).port;
}

/** Asks for each page by a request of its own, six at a time. */
async function scrapeAll(target: Target, server: ServerProcess, kind: string, pages: number): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    for (let page = next++; page < pages; page = next++) {
      const url = `http://${hostAddress(page % HOSTS)}:${portOf(server)}/${kind}-${page}`;
      await callApi(target, { method: 'POST', path: '/v1/researcher/scrape', body: { url, format: 'text' } });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** How much more memory a process has at most while something is done, and how long that takes. */
async function watched(pid: number, work: () => Promise<void>): Promise<{ mebibytes: number; seconds: number }> {
  const before = residentKib(pid);
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, residentKib(pid))), SAMPLE_MS);
  const startedAt = performance.now();
  try {
    await work();
    return { mebibytes: (most - before) / 1_024, seconds: (performance.now() - startedAt) / 1_000 };
  } finally {
    clearInterval(timer);
  }
}

/** @returns seconds @throws Error where something was not read */
async function timeSession(target: Target, server: ServerProcess): Promise<number> {
  const path = '/v1/researcher/sessions';
  const startedAt = performance.now();
  const body = { question: 'How is the server configured?', depth: 1, max_sources: FOUND };
  const { id } = await callApi<{ id: string }>(target, { method: 'POST', path, body });
  const events = await fetch(`${target.origin}${path}/${id}/events`, { headers: target.headers });
  await events.text();
  const seconds = (performance.now() - startedAt) / 1_000;
  const session = await callApi<ReadSession>(target, { method: 'GET', path: `${path}/${id}` });
  const read = session.sources.filter(({ status }) => status === 'read').length;
  if (session.status !== 'completed' || read < FOUND) throw new Error(`${session.status}: ${read} pages are read.`);
  await fetch(`${server.origin}/next`);
  return seconds;
}

interface ReadSession {
  readonly status: string;
  readonly sources: readonly { readonly status: string }[];
}
