import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { addApiToken } from '../../support/builders/accounts.js';
import { eventually } from '../../support/probes/eventually.js';
import { articleOf, ResearchBed } from '../../support/servers/research-bed.js';
import { honestModel } from '../../support/builders/researching-model.js';
import { heldUntil } from '../../support/servers/scripted-backend.js';

describe('research whose beginner loses its rights', () => {
  let bed: ResearchBed;
  beforeAll(async () => void (bed = await ResearchBed.start({ '/bridge': articleOf('Bridges', TEXT) })));
  beforeEach(() => bed.gateway.backend.reset());
  afterAll(() => bed.close());

  it.each<[what: string, end: (token: { id: string }) => Promise<unknown>]>([
    [
      'the token that began it is deleted',
      ({ id }) => bed.platform.as(bed.tenant.user.token).delete(`/v1/api-tokens/${id}`),
    ],
    [
      'the user is suspended',
      () =>
        bed.platform.as(bed.tenant.admin.token).patch(`/v1/admin/users/${bed.tenant.user.id}`, { status: 'suspended' }),
    ],
  ])('ends, and asks no model any more, when %s', async (_what, end) => {
    const answered = Promise.withResolvers<void>();
    const honest = honestModel('Kessel');
    bed.gateway.backend.byDefault = (request) => heldUntil(answered.promise, honest(request));
    const token = await addApiToken(bed.platform, bed.tenant.user.token, ['researcher:write']);
    const asked = bed.gateway.backend.nextRequest();
    const body = { question: 'How long is the Kessel bridge?', depth: 1, model: 'scripted' };
    const { body: session } = await bed.platform.as(token.token).post('/v1/researcher/sessions', body);
    const { gone } = await asked;

    await end(token);

    await gone;
    answered.resolve();
    const row = await eventually('the session is over', 10, async () => {
      const sql = 'SELECT status, reason FROM research_sessions WHERE id = $1';
      const [found] = await bed.platform.query<{ status: string; reason: string }>(sql, [session.id as string]);
      return found?.status === 'failed' && found;
    });
    expect(row).toMatchObject({ reason: 'forbidden' });
    expect(bed.gateway.backend.requests).toHaveLength(1);
  });
});

const TEXT = 'The Kessel bridge is 412 metres long. It crosses the river Orla.';
