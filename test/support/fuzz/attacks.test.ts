import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { attack, inTurn, reportOf } from './attacks.js';
import type { Attack, AttackKind, LoopGuard } from './attacks.js';
import { problemOfAnswer } from './graphql-answers.js';

describe('a run of attacks', () => {
  const errorLines: string[] = [];
  const server = createServer({ keepAliveTimeout: 0 }, answer);
  let url: string;
  let blocks = 0;

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

  it('finds which of several attacks fails, lets others wait, or logs an error', async () => {
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
      ['slow', 'another request had to wait'],
    ]);
    expect(reportOf(findings, 1)).toContain("--seed 1 --only 'slow' --round 0: /blocks: another request had to wait");
  });

  /** What would hold the event loop is counted. */
  const guard: LoopGuard = {
    watch: async (work) => {
      const before = blocks;
      const value = await work();
      return { value, ...(blocks > before && { disturbance: 'another request had to wait' }) };
    },
    confirm: async () => undefined,
    calm: async () => undefined,
  };

  function answer({ url: path }: IncomingMessage, response: ServerResponse): void {
    if (path === '/blocks') blocks += 1;
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
    return attack({ url, token: '', kinds, rounds: 1, seed: 1, errorLines: () => errorLines, guard });
  }
});
