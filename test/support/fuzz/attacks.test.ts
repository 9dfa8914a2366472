import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { attack, inTurn, reportOf } from './attacks.js';
import type { Attack, AttackKind } from './attacks.js';
import { problemOfAnswer } from './graphql-answers.js';

describe('a run of attacks', () => {
  const errorLines: string[] = [];
  const server = createServer(answer);
  let url: string;

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close().closeAllConnections());

  it('finds nothing where nothing is wrong', async () => {
    const findings = await run({ good: asking('/'), 'good, too': inTurn([asking('/a'), asking('/b')]) });

    expect(findings).toEqual([]);
  });

  it('finds which of several attacks lets others wait, fails, or logs an error', async () => {
    const findings = await run({
      good: asking('/'),
      slow: asking('/blocks'),
      failing: inTurn([asking('/'), asking('/fails')]),
      logging: asking('/logs'),
    });

    const problems = findings.map(({ kind, problem }) => [kind, problem]).toSorted();
    expect(problems).toEqual([
      ['failing', expect.stringMatching(/^\/fails: the server failed: 500/)],
      ['logging', expect.stringMatching(/^an error was logged/)],
      ['slow', expect.stringMatching(/^a good request waited for \d+ ms of work/)],
    ]);
    expect(reportOf(findings, 1)).toContain("--seed 1 --only 'slow' --round 0: /blocks: a good request waited");
  });

  function answer({ url: path }: IncomingMessage, response: ServerResponse): void {
    if (path === '/blocks') work(600);
    if (path === '/logs') errorLines.push('{"level":50}');
    response.writeHead(path === '/fails' ? 500 : 200, { 'content-type': 'application/json' }).end('{"data":null}');
  }

  function asking(path: string): Attack {
    return {
      about: path,
      launch: async (target) => {
        const response = await fetch(target.url + path);
        const contentType = response.headers.get('content-type');
        return problemOfAnswer({ status: response.status, contentType, text: await response.text() });
      },
    };
  }

  function run(attacks: Readonly<Record<string, Attack>>) {
    const kinds: AttackKind[] = Object.entries(attacks).map(([name, one]) => ({ name, attacks: fc.constant(one) }));
    return attack({ url, token: '', kinds, rounds: 1, seed: 1, errorLines: () => errorLines });
  }
});

/** Keeps the event loop busy for so much time of the processor, however long that takes. */
function work(milliseconds: number): void {
  const before = process.cpuUsage();
  while (process.cpuUsage(before).user < milliseconds * 1_000);
}
