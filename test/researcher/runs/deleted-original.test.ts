import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../../support/probes/eventually.js';
import { articleOf, ResearchBed } from '../../support/servers/research-bed.js';
import { SESSIONS, untilResearchErased } from '../../support/builders/research.js';

it('a session whose original is deleted before it is read has failed, and says why', async () => {
  bed.gateway.backend.byDefault = () => ({ ending: 'silent' as const });
  const original = await bed.research({ question: QUESTION, depth: 1 });
  const before = [await bed.begin(SILENT), await bed.begin(SILENT)];
  await eventually('both places of the user are taken', 20, () => bed.gateway.backend.requests.length === 2);
  const replay = await bed.begin({ question: QUESTION, depth: 1, replay_of: original.id });
  const { user } = bed.tenant;
  await bed.platform.request('DELETE', `${SESSIONS}/${original.id}`, { token: user.token });
  await untilResearchErased(bed.platform, original.id as string, []);

  for (const id of before) await bed.post(`sessions/${id}/cancel`, {});

  expect(await bed.ended(replay)).toMatchObject({
    status: 'failed',
    reason: 'original_deleted',
    error: expect.stringContaining('was deleted'),
  });
});

let bed: ResearchBed;
beforeAll(async () => void (bed = await ResearchBed.start({ '/bridge': articleOf('Bridges', TEXT) })));
afterAll(() => bed.close());

const QUESTION = 'How long is the Kessel bridge?';
const SILENT = { question: QUESTION, depth: 1, model: 'scripted' };
const TEXT = 'The Kessel bridge is 412 metres long. It crosses the river Orla.';
