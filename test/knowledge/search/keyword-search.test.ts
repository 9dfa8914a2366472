import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { KnowledgeProbe } from '../../support/knowledge.js';
import { startPlatform } from '../../support/platform.js';
import type { Platform } from '../../support/platform.js';

let platform: Platform;
let probe: KnowledgeProbe;
const find = async (query: string) =>
  (await probe.query(query, { mode: 'keyword' })).map(({ filename }) => filename as string);
beforeAll(async () => {
  platform = await startPlatform();
  const { access_token: token } = await platform.login();
  probe = await KnowledgeProbe.create(platform, token);
  await probe.index({
    'common.txt': 'The report of the report is a report. Every report of ours is a report on reports.',
    'other.txt': 'This report was written for the board, which asked for it in the spring.',
    'rare.txt': 'This report was written for the zebra, which asked for it in the spring.',
    'short.txt': 'Giraffes are tall.',
    'long.txt': `Giraffes are tall. ${'Elephants and lions live where it is warm, and drink when there is water. '.repeat(8)}`,
    'often.txt': 'Lemurs like lemurs, and lemurs are liked.',
    'once.txt': 'Lemurs like fruit, and fruit are sweet.',
    'path.txt': "It's kept in C:\\temp\\it's, said O'Neill.",
  });
});
afterAll(() => platform.close());

it('prefers a rare word to a common one that comes often', async () => {
  const [first] = await find('Which report was for the zebra?');

  expect(first).toBe('rare.txt');
});

it('prefers the shorter of two passages with a word, and the one that has it more often', async () => {
  const [giraffes, lemurs] = [await find('giraffe'), await find('lemur')];

  expect(giraffes).toEqual(['short.txt', 'long.txt']);
  expect(lemurs).toEqual(['often.txt', 'once.txt']);
});

it.each(["O'Neill", 'C:\\temp\\it\'s "', "\\'; zebra | & ! <-> :* ( o'neill"])(
  'takes the signs of a query as text: %s',
  async (query) => {
    expect(await find(query)).toContain('path.txt');
  },
);

it('finds nothing for words that say nothing', async () => {
  expect(await find('is it the one that was of the')).toEqual([]);
});

it('looks for the first words of a long text', async () => {
  const text = `Tell me about zebras. ${Array.from({ length: 900 }, (_, number) => `word${number}`).join(' ')} lemurs`;

  expect(await find(text)).toEqual(['rare.txt']);
});
