import { globSync, readFileSync } from 'node:fs';
import { buildSchema } from 'graphql';
import { expect, it } from '@jest/globals';
import { RECORDED_ACTIONS } from '../support/probes/recorded-actions.js';

it('every mutation is recorded, or says here why it is not', () => {
  const schema = buildSchema(readFileSync('schema/platform.graphql', 'utf8'));
  const mutations = Object.keys(schema.getMutationType()?.getFields() ?? {});

  expect([...Object.keys(RECORDED_ACTIONS), ...NOT_RECORDED].sort()).toEqual(mutations.sort());
});

it('every action of a mutation is one that the code records', () => {
  const written = actionsOf(sourceText(), "'");

  expect(
    Object.values(RECORDED_ACTIONS)
      .flat()
      .filter((action) => !written.has(action)),
  ).toEqual([]);
});

it('every action of the code is in the manual, and every one of the manual in the code', () => {
  const described = actionsOf(manualOfActions(), '`');
  const nouns = new Set([...described].map((action) => action.split('.')[0]));
  const written = actionsOf(sourceText(), "'");

  const missing = [...written].filter((action) => nouns.has(action.split('.')[0]) && !described.has(action));

  expect(missing.filter((action) => !NO_ACTIONS.includes(action))).toEqual([]);
  expect([...described].filter((action) => !written.has(action))).toEqual([]);
});

it('every action of a mutation is in the manual', () => {
  const described = actionsOf(manualOfActions(), '`');

  expect(
    Object.values(RECORDED_ACTIONS)
      .flat()
      .filter((action) => !described.has(action)),
  ).toEqual([]);
});

/** Texts that look like actions: a field, and the events of a realtime session. */
const NO_ACTIONS = [
  'recording.stored',
  'session.audio',
  'session.close',
  'session.created',
  'session.type',
  'session.update',
  'session.updated',
  'session.user',
];

/** Calls of models have the ledger; a lease ends by itself; whoever begins a sign-in is not anybody yet; a trial of rules changes nothing. */
const NOT_RECORDED = [
  'appendRecordingAudio',
  'claimReviewItems',
  'continueResponse',
  'createChatCompletion',
  'createCompletion',
  'createEmbeddings',
  'createKnowledgeChat',
  'createResponse',
  'createSpeech',
  'startSso',
  'testSanitizerPolicy',
  'transcribeAudio',
  'translateAudio',
  'translateText',
];

function sourceText(): string {
  return globSync('src/**/*.ts')
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}

/** The table of actions alone: other parts of the manual name fields. */
function manualOfActions(): string {
  const [, table = ''] = /### Actions\n([^]*?)\n### /.exec(readFileSync('docs/audit.md', 'utf8')) ?? [];
  return table;
}

/** The nouns with a verb that stand between quotes. */
function actionsOf(text: string, quote: string): Set<string> {
  return new Set(
    [...text.matchAll(/(['`])([a-z_]+\.[a-z_]+)\1/g)].flatMap(([, by, action]) => (by === quote ? [action ?? ''] : [])),
  );
}
