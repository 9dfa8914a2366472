import { KnowledgeProbe } from '../../support/builders/knowledge.js';
import { startPlatform } from '../../support/servers/platform.js';

const FILES = {
  'common.txt': 'The report of the report is a report. Every report of ours is a report on reports.',
  'other.txt': 'This report was written for the board, which asked for it in the spring.',
  'rare.txt': 'This report was written for the zebra, which asked for it in the spring.',
  'short.txt': 'Giraffes are tall.',
  'long.txt': `Giraffes are tall. ${'Elephants and lions live where it is warm, and drink when there is water. '.repeat(8)}`,
  'often.txt': 'Lemurs like lemurs, and lemurs are liked.',
  'once.txt': 'Lemurs like fruit, and fruit are sweet.',
  'path.txt': "It's kept in C:\\temp\\it's, said O'Neill.",
};

/** A server with a knowledge base of short files, whose rank says what counts. */
export interface RankedBase {
  /** The names of the files that keywords find, the best first. */
  find(query: string): Promise<string[]>;
  close(): Promise<void>;
}

/** Starts it. */
export async function openRankedBase(): Promise<RankedBase> {
  const platform = await startPlatform();
  const { access_token: token } = await platform.login();
  const probe = await KnowledgeProbe.create(platform, token);
  await probe.index(FILES);
  return {
    find: async (query) => (await probe.query(query, { mode: 'keyword' })).map(({ filename }) => filename as string),
    close: () => platform.close(),
  };
}
