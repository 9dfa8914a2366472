import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { addSignedInUser } from '../../support/accounts.js';
import { articleOf, ResearchBed } from '../../support/research-bed.js';
import { ResearchProbe } from '../../support/research-probe.js';
import { SESSION_LIMITS, shareOf } from '../../../src/researcher/sessions/session-job.js';

it('leaves places to colleagues while the model of one user says nothing', async () => {
  bed.gateway.backend.byDefault = () => ({ ending: 'silent' as const });
  const { user } = bed.tenant;
  const body = { question: QUESTION, depth: 1 };
  const colleague = await userOfAnotherShare(user);
  const asked = [bed.gateway.backend.nextRequest(), bed.gateway.backend.nextRequest()];
  const held = [];
  for (let count = 0; count < 3; count += 1) held.push(await bed.begin({ ...body, model: 'scripted' }));
  await Promise.all(asked);

  const session = await new ResearchProbe(bed.platform, colleague.token).research(body);

  expect(session.status).toBe('completed');
  const statuses = await Promise.all(held.map(async (id) => (await bed.read(id)).status));
  expect(statuses.toSorted()).toEqual(['queued', 'searching', 'searching']);
  for (const id of held) await bed.post(`sessions/${id}/cancel`, {});
}, 90_000);

it('gives all users of a tenant together half of the places', () => {
  const shares = new Set(Array.from({ length: 1_000 }, (_, at) => shareOf(`usr_${at}`)));

  expect(shares.size * SESSION_LIMITS.atOnceForTenant).toBe(SESSION_LIMITS.atOnce / 2);
});

async function userOfAnotherShare(user: { id: string; tenantId: string }) {
  for (;;) {
    const other = await addSignedInUser(bed.platform, user.tenantId);
    if (shareOf(other.id) !== shareOf(user.id)) return other;
  }
}

let bed: ResearchBed;
beforeAll(async () => {
  bed = await ResearchBed.start({
    '/bridge': articleOf('The Kessel bridge', 'The Kessel bridge is 412 metres long. It crosses the river Orla.'),
  });
});
afterAll(() => bed.close());

const QUESTION = 'How long is the Kessel bridge?';
