import { expect, test } from '@jest/globals';
import { RobotsFiles } from '../../../../src/platform/net/pages/robots-files.js';

const { signal } = new AbortController();

test('what is remembered is bounded in bytes: what was asked for long ago is fetched again', async () => {
  // Of 1.2 MB each.
  const { files, fetched } = filesWith(rulesOf(1_000, 490));

  for (let host = 0; host < 40; host += 1) await files.rulesFor(new URL(`http://${host}.test/`), '', signal);
  for (const host of [39, 0]) await files.rulesFor(new URL(`http://${host}.test/`), '', signal);

  expect(fetched).toHaveLength(41);
  expect(fetched.at(-1)).toBe('http://0.test/robots.txt');
});

test('one file is not remembered that would drive out many others', async () => {
  const { files, fetched } = filesWith(rulesOf(30_000, 3));

  for (const host of ['a', 'a']) await files.rulesFor(new URL(`http://${host}.test/`), '', signal);

  expect(fetched).toHaveLength(2);
});

function filesWith(text: string): { files: RobotsFiles; fetched: string[] } {
  const fetched: string[] = [];
  const files = new RobotsFiles('testbot', (url) => {
    fetched.push(url.href);
    return Promise.resolve({ status: 200, body: Buffer.from(text) });
  });
  return { files, fetched };
}

function rulesOf(count: number, length: number): string {
  return `User-agent: *\n${`Disallow: /${'a'.repeat(length)}\n`.repeat(count)}`;
}
