import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { addSignedInUser } from '../../support/builders/accounts.js';
import { articleOf, ResearchBed } from '../../support/servers/research-bed.js';
import { ResearchProbe } from '../../support/probes/research-probe.js';

it('leaves places to all colleagues while the model of one user says nothing', async () => {
  bed.gateway.backend.byDefault = () => ({ ending: 'silent' as const });
  const { user } = bed.tenant;
  const body = { question: QUESTION, depth: 1 };
  const asked = [bed.gateway.backend.nextRequest(), bed.gateway.backend.nextRequest()];
  const held = [];
  for (let count = 0; count < 3; count += 1) held.push(await bed.begin({ ...body, model: 'scripted' }));
  await Promise.all(asked);

  const colleagues = await Promise.all(Array.from({ length: 8 }, () => addSignedInUser(bed.platform, user.tenantId)));
  const sessions = await Promise.all(
    colleagues.map(({ token }) => new ResearchProbe(bed.platform, token).research(body)),
  );

  expect(new Set(sessions.map(({ status }) => status))).toEqual(new Set(['completed']));
  const statuses = await Promise.all(held.map(async (id) => (await bed.read(id)).status));
  expect(statuses.toSorted()).toEqual(['queued', 'searching', 'searching']);
  for (const id of held) await bed.post(`sessions/${id}/cancel`, {});
});

let bed: ResearchBed;
beforeAll(async () => {
  bed = await ResearchBed.start({
    '/bridge': articleOf('The Kessel bridge', 'The Kessel bridge is 412 metres long. It crosses the river Orla.'),
  });
});
afterAll(() => bed.close());

const QUESTION = 'How long is the Kessel bridge?';
