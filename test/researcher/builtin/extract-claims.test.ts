import { describe, expect, it } from '@jest/globals';
import { CooperativeYield } from '../../../src/platform/async/cooperative-yield.js';
import { extractClaims } from '../../../src/researcher/builtin/extract-claims.js';
import type { SearchedSource } from '../../../src/researcher/builtin/indexed-sentences.js';
import { ClaimVerifier } from '../../../src/researcher/verification/claim-verifier.js';

describe('an answer without a model', () => {
  it('is the sentence that matches best, with itself as its quote', async () => {
    const [answer] = await extract(['How many worker processes does autovacuum start?'], [MANUAL], 1);

    const text = 'At most three autovacuum worker processes are started.';
    expect(answer?.claims).toEqual([{ text, quotes: [{ source: 'manual', quote: text }], section: answer?.question }]);
  });

  it('finds a sentence by the term that it stands under', async () => {
    const text =
      'max_connections (integer)\n\nThe limit is one hundred by default.\n\n' +
      'block_size (integer)\n\nThe limit is eight kilobytes by default.';

    const [answer] = await extract(['What is the default limit of block_size?'], [source('a', text)], 1);

    expect(answer?.claims[0]?.text).toBe('block_size (integer) The limit is eight kilobytes by default.');
  });

  it('says nothing twice', async () => {
    const sources = [
      source('a', 'The tower is 96 metres high. The tower of the city is 96 metres high. The tower was built in 1931.'),
      source('b', 'The tower is 96 metres high.'),
    ];

    const answers = await extract(['How high is the tower?', 'How old is the tower?'], sources, 2);

    const texts = answers.flatMap(({ claims }) => claims.map(({ text }) => text));
    expect(texts.toSorted()).toEqual([
      'The tower is 96 metres high.',
      'The tower of the city is 96 metres high.',
      'The tower was built in 1931.',
    ]);
  });

  it('takes a sentence that differs before one that says the same again', async () => {
    const text =
      'The height of the red tower is 96 metres. The height of the red tower is 96 metres today. ' +
      'The height of the red tower surprised all visitors of the old fortress.';

    const [answer] = await extract(['What is the height of the red tower?'], [source('a', text)], 2);

    expect(answer?.claims[1]?.text).toMatch(/fortress\.$/);
  });

  it('has the heading that it stands right behind, and what stands beside it', async () => {
    const text =
      'deadlock_timeout (integer)\n\nThe time to wait on a lock before a check for deadlock. The default is 1 s.';

    const [answer] = await extract(['How long is the wait on a lock before the check?'], [source('a', text)], 3);

    expect(answer?.claims.map((claim) => claim.text)).toEqual([
      'deadlock_timeout (integer) The time to wait on a lock before a check for deadlock.',
      'The default is 1 s.',
    ]);
  });

  it('has a heading of Markdown without its mark, and is verbatim all the same', async () => {
    const markdown = source('a', '# Handbook\n\n## Holidays\n\nEverybody has thirty days a year.');

    const [answer] = await extract(['How many days of holidays does everybody have?'], [markdown], 1);

    const verifier = new ClaimVerifier([{ ...markdown, url: 'https://a.example/' }], true, new CooperativeYield());
    const { proven } = await verifier.verify(answer?.claims ?? []);
    expect(proven.map(({ text }) => text)).toEqual(['Holidays Everybody has thirty days a year.']);
    expect(proven[0]?.quotes).toMatchObject([{ quote: '## Holidays\n\nEverybody has thirty days a year.' }]);
  });

  it('tells what another source says against it', async () => {
    const sources = [
      source('a', 'The tower of the city is 96 metres high. It was built of red stone.'),
      source('b', 'The tower of the city is 69 metres high. It has eleven floors.'),
    ];

    const [answer] = await extract(['How high is the tower of the city?'], sources, 1);

    expect(answer?.claims.map(({ quotes: [quote] }) => quote?.source)).toEqual(['a', 'b']);
  });

  it('is nothing where nothing matches, or nobody says anything', async () => {
    const answers = await extract(['What is a giraffe?', ''], [MANUAL, source('empty', '')], 3);

    expect(answers.map(({ claims }) => claims)).toEqual([[], []]);
  });

  it('is verbatim for whoever checks it, and the same each time', async () => {
    const questions = ['What does autovacuum do?', 'When does it run?', 'What about tables and statistics?'];

    const [answers, again] = [await extract(questions, [MANUAL], 5), await extract(questions, [MANUAL], 5)];

    const claims = answers.flatMap((answer) => answer.claims);
    const verifier = new ClaimVerifier([{ ...MANUAL, url: 'https://example.com/' }], true, new CooperativeYield());
    const { proven, refused } = await verifier.verify(claims);
    expect(again).toEqual(answers);
    expect({ proven: proven.length, refused }).toEqual({ proven: claims.length, refused: [] });
    expect(claims.length).toBeGreaterThan(3);
  });
});

it('ends with its signal, and reads a bounded part of a long text', async () => {
  const long = source('long', 'No blank line is in this text '.repeat(100_000));
  const gone = new CooperativeYield(AbortSignal.abort(new Error('gone')));

  await expect(extractClaims(['What is in this text?'], [long], 1, gone)).rejects.toThrow('gone');
});

const MANUAL = source(
  'manual',
  'The autovacuum daemon reclaims the space of deleted rows. It runs every minute by default.\n\n' +
    'At most three autovacuum worker processes are started. Does it lock the table? It takes no exclusive lock.\n\n' +
    'Tables that change often are vacuumed\nmore often. Statistics are collected\nby the same daemon.',
);

function source(id: string, text: string): SearchedSource & { title: null } {
  return { id, title: null, text, language: 'en' };
}

function extract(questions: readonly string[], sources: readonly SearchedSource[], perQuestion: number) {
  return extractClaims(questions, sources, perQuestion, new CooperativeYield());
}
