import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { sseClient } from '../../support/builders/graphql-clients.js';
import type { Platform } from '../../support/servers/platform.js';
import { sentEvents, SESSIONS } from '../../support/builders/research.js';
import type { SentEvent } from '../../support/builders/research.js';
import { ResearchProbe } from '../../support/probes/research-probe.js';
import { articleOf, ResearchBed } from '../../support/servers/research-bed.js';
import { researchCalls } from '../../support/probes/research-calls.js';
import { askedBy, honestModel } from '../../support/builders/researching-model.js';
import { heldUntil } from '../../support/servers/scripted-backend.js';
import { onReplicas, REDIS_URL } from '../../support/servers/services.js';

onReplicas.describe('research on two replicas', () => {
  let [bed, replica]: [ResearchBed, Platform] = [] as never;
  beforeAll(async () => void (bed = await ResearchBed.start(PAGES, { REDIS_URL: REDIS_URL ?? '' })));
  afterAll(() => bed.close());
  beforeEach(async () => {
    bed.gateway.backend.byDefault = honestModel('Kessel');
    replica = await bed.platform.startReplica();
  });
  afterEach(() => replica.close());

  it('has its events on the other as they come, over both interfaces, without a gap or one twice', async () => {
    const gate = holdSections();
    const id = await bed.begin(SETTINGS);
    const reading = [openAt(replica, id).then(eventsOf), subscribedAt(replica, id)];
    await gate.reached;

    gate.open();
    const [sent, told] = await Promise.all(reading);

    const stored = await bed.events(id);
    expect(sent).toEqual(stored);
    expect(told).toEqual(stored.map(({ id: sequence, event: type, data }) => ({ sequence, type, data })));
    expect(stored.map((event) => event.id)).toEqual(stored.map((_, index) => index + 1));
  });

  it('ends when it is cancelled through the other', async () => {
    const called = bed.gateway.backend.nextRequest();
    bed.gateway.backend.byDefault = () => ({ ending: 'silent' });
    const id = await bed.begin(SETTINGS);
    const { gone } = await called;
    const stream = await openAt(bed.platform, id);

    const { status } = await replica.request('POST', `${SESSIONS}/${id}/cancel`, { token: bed.tenant.user.token });
    await gone;

    expect(status).toBe(200);
    expect((await eventsOf(stream)).at(-1)).toMatchObject({ event: 'status', data: { status: 'cancelled' } });
  });

  it('goes on at the other where the one that does it is closed, with the same report and events', async () => {
    const undisturbed = await bed.research(SETTINGS);
    const expected = (await bed.events(undisturbed.id)).map(toLine);
    await replica.close();
    const gate = holdSections();
    const id = await bed.begin(SETTINGS);
    await gate.reached;
    replica = await bed.platform.startReplica();
    const [whole, cut] = [await openAt(replica, id), await openAt(bed.platform, id)];

    const session = await bed.platform.whileStopped(async () => {
      gate.open();
      return new ResearchProbe(replica, bed.tenant.user.token).ended(id);
    });

    const [all, before] = [await eventsOf(whole), await eventsOf(cut)];
    expect(JSON.stringify(session.report)).toBe(JSON.stringify(undisturbed.report));
    expect(all.map(toLine)).toEqual(expected);
    expect(all.map((event) => event.id)).toEqual(all.map((_, index) => index + 1));
    expect(all.slice(0, before.length)).toEqual(before);
    const after = { 'last-event-id': String(before.length) };
    expect(await eventsOf(await openAt(bed.platform, id, after))).toEqual(all.slice(before.length));
    expect(await researchCalls(bed.platform)).toHaveLength(bed.gateway.backend.requests.length);
  });

  /** The model does not answer what is asked for the report before the gate is open. */
  function holdSections() {
    const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const honest = honestModel('Kessel');
    bed.gateway.backend.byDefault = (request) => {
      if (askedBy(request).task !== 'section') return honest(request);
      reached.resolve();
      return heldUntil(opened.promise, honest(request));
    };
    return { reached: reached.promise, open: () => opened.resolve() };
  }

  function openAt(platform: Platform, id: string, headers = {}): Promise<Response> {
    return platform.send('GET', `${SESSIONS}/${id}/events`, { token: bed.tenant.user.token, headers });
  }

  async function subscribedAt({ url }: Platform, id: string): Promise<unknown[]> {
    const query = 'subscription ($id: ID!) { researchSessionEvents(id: $id) { sequence type data } }';
    const events: unknown[] = [];
    for await (const { data } of sseClient({ url, token: bed.tenant.user.token }).iterate({
      query,
      variables: { id },
    })) {
      events.push((data as { researchSessionEvents: unknown }).researchSessionEvents);
    }
    return events;
  }
});

/** The events of a stream until its end; one that says why it ends has no id. */
async function eventsOf(response: Response): Promise<SentEvent[]> {
  return sentEvents(await response.text()).filter((event) => event.id !== undefined);
}

/** What an event tells, without how far the session was. */
function toLine({ event, data }: SentEvent): string {
  return `${event} ${JSON.stringify({ ...data, progress: undefined })}`;
}

const SETTINGS = { question: 'How long is the Kessel bridge?', depth: 1, model: 'scripted' };
const PAGES = {
  '/length': articleOf('Length', 'The Kessel bridge is 412 metres long.'),
  '/history': articleOf('History', 'The Kessel bridge was opened in 1967.'),
};
