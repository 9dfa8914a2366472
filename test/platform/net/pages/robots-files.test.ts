import { expect, test } from '@jest/globals';
import { PageRefused } from '../../../../src/platform/net/pages/page-refused.js';
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

test('nobody waits for what another owner has begun to fetch, and the first that is there is for all', async () => {
  const begun: { owner: string; isOver: AbortSignal; answer: () => void }[] = [];
  const files = new RobotsFiles('testbot', async (_, { owner, signal: isOver }, read) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    begun.push({ owner, isOver, answer: resolve });
    await promise;
    return { status: 200, content: await read(Buffer.from('User-agent: *\nCrawl-delay: 3')) };
  });
  const url = new URL('http://a.test/');

  const all = ['a', 'b', 'b', 'c'].map((owner) => files.rulesFor(url, owner, signal));
  begun.find(({ owner }) => owner === 'b')?.answer();
  const rules = await Promise.all(all);

  expect(rules.map(({ delayMs }) => delayMs)).toEqual([3_000, 3_000, 3_000, 3_000]);
  expect(begun.map(({ owner, isOver }) => [owner, isOver.aborted])).toEqual([
    ['a', true],
    ['b', true],
    ['c', true],
  ]);
});

test('what one owner cannot fetch is refused to nobody else', async () => {
  const files = new RobotsFiles('testbot', async (_, { owner }) => {
    if (owner === 'a') throw new PageRefused('host_busy');
    return Promise.resolve({ status: 404 });
  });
  const url = new URL('http://a.test/');

  const all = ['a', 'b'].map((owner) => files.rulesFor(url, owner, signal));

  await expect(all[0]).rejects.toMatchObject({ reason: 'host_busy' });
  await expect(all[1]).resolves.toMatchObject({ delayMs: 0 });
});

test('the pages of one owner that are costly to ask hold up nobody else for more than one of them', async () => {
  // Each pattern is looked for at each place of the path, and fits nowhere.
  const { files } = filesWith(`User-agent: *\nDisallow: /\n${`Disallow: /*${'a'.repeat(500)}b\n`.repeat(900)}`);
  const costly = new URL(`http://a.test/${'a'.repeat(1_900)}`);
  await files.rulesFor(costly, 'a', signal);
  const order: string[] = [];
  const ask = (url: URL, owner: string): Promise<unknown> =>
    files.ask(url, owner, signal).then(
      () => order.push(`${owner} allowed`),
      (error: unknown) => order.push(`${owner} ${(error as PageRefused).reason}`),
    );

  const all = ['a', 'a', 'a'].map((owner) => ask(costly, owner));
  await Promise.all([...all, ask(new URL('http://a.test/robots.txt'), 'b')]);

  expect(order).toEqual(['a robots', 'b allowed', 'a robots', 'a robots']);
});

function filesWith(text: string): { files: RobotsFiles; fetched: string[] } {
  const fetched: string[] = [];
  const files = new RobotsFiles('testbot', async (url, _, read) => {
    fetched.push(url.href);
    return { status: 200, content: await read(Buffer.from(text)) };
  });
  return { files, fetched };
}

function rulesOf(count: number, length: number): string {
  return `User-agent: *\n${`Disallow: /${'a'.repeat(length)}\n`.repeat(count)}`;
}
