import { beforeAll, describe, expect, it } from '@jest/globals';
import { othersWait } from '../../../src/platform/jobs/waiting-jobs.js';
import { DocumentTurn, TurnOver, turnSeconds } from '../../../src/translation/documents/jobs/document-turn.js';
import { addSignedInUser, addTenant } from '../../support/builders/accounts.js';
import type { SignedInUser } from '../../support/builders/accounts.js';
import { eventually } from '../../support/probes/eventually.js';
import type { Gateway } from '../../support/servers/gateway.js';
import { TranslatedDocuments } from '../../support/builders/translated-documents.js';
import { textsOf, toGerman, translating } from '../../support/builders/translating-model.js';
import { useGateway } from '../../support/servers/use-servers.js';

describe('documents whose engine never answers', () => {
  const gateway = useGateway({ env: { BUILTIN_BACKEND: 'false', PREVIEW_DOCUMENT_TRANSLATION: 'true' } });

  beforeAll(async () => {
    gateway.backend.byDefault = (request) => {
      const isSilent = Object.values(textsOf(request)).some((text) => text.includes('silence'));
      return isSilent ? { ending: 'silent' } : translating(toGerman)(request);
    };
  });

  it('leave places to those of other tenants', async () => {
    for (const user of [await newcomer(gateway), await newcomer(gateway)]) {
      const documents = new TranslatedDocuments(gateway.platform, user.token);
      for (let sent = 0; sent < 5; sent += 1) await documents.send('a.txt', 'There is silence in the house.');
      await untilRunning(gateway, user, 3);
    }
    const documents = new TranslatedDocuments(gateway.platform, (await newcomer(gateway)).token);

    const { status } = await documents.translate('a.txt', 'The house is red.');

    expect(status).toBe('completed');
  });

  it('leave a place of their tenant to colleagues', async () => {
    const one = await newcomer(gateway);
    const documents = new TranslatedDocuments(gateway.platform, one.token);
    for (let sent = 0; sent < 5; sent += 1) await documents.send('a.txt', 'There is silence in the house.');
    await untilRunning(gateway, one, 3);
    const colleague = await addSignedInUser(gateway.platform, one.tenantId);

    const sent = await new TranslatedDocuments(gateway.platform, colleague.token).translate('a.txt', 'A red house.');

    expect(sent.status).toBe('completed');
    await untilRunning(gateway, one, 3);
  });

  it('are asked for their places by colleagues who have none, and by nobody who could not use them', async () => {
    const one = await newcomer(gateway);
    const documents = new TranslatedDocuments(gateway.platform, one.token);
    for (let sent = 0; sent < 5; sent += 1) await documents.send('a.txt', 'There is silence in the house.');
    await untilRunning(gateway, one, 3);
    const { blobs, database } = gateway.platform.app;
    const own = await blobs.storeId();
    const isAsked = ({ id: userId, tenantId }: SignedInUser, store = own): Promise<boolean> =>
      othersWait(database.dataSource, { kind: 'translation.document', tenantId, userId, store }, 4);
    const outsider = await newcomer(gateway);
    const sendOfColleague = async (): Promise<SignedInUser> => {
      const colleague = await addSignedInUser(gateway.platform, one.tenantId);
      await new TranslatedDocuments(gateway.platform, colleague.token).send('a.txt', 'There is silence in the house.');
      return colleague;
    };
    await untilRunning(gateway, await sendOfColleague(), 1);
    await gateway.platform.query("UPDATE jobs.job SET start_after = start_after - interval '6 seconds'");

    const before = await isAsked(one);
    await sendOfColleague();
    await gateway.platform.query("UPDATE jobs.job SET start_after = start_after - interval '6 seconds'");

    expect(before).toBe(false);
    expect(await isAsked(one)).toBe(true);
    expect(await isAsked(one, 'that of another process')).toBe(false);
    expect(await isAsked(outsider)).toBe(false);
  });
});

describe('the turn of a document', () => {
  it('is over when its engine has said nothing for long and others wait', async () => {
    const turn = new DocumentTurn({ seconds: 0.02, othersWait: async () => true, lookMs: 5 });

    turn.begin();

    await eventually('the turn is over', 5, async () => turn.over.aborted);
    expect(turn.over.reason).toBeInstanceOf(TurnOver);
  });

  it.each([
    ['others wait, and its engine answers', 3_600, true],
    ['its engine is silent, and nobody waits', 0, false],
  ])('goes on where %s', async (_what, seconds, waits) => {
    const looked = Promise.withResolvers<void>();
    let looks = 0;
    const othersWaiting = async (): Promise<boolean> => waits;
    const turn = new DocumentTurn({
      get seconds() {
        looks += 1;
        if (looks === 3) looked.resolve();
        return seconds;
      },
      othersWait: othersWaiting,
      lookMs: 1,
    });

    turn.begin();
    await looked.promise;

    expect(turn.over.aborted).toBe(false);
    turn.close();
  });

  it('is longer after each that was in vain, for engines that are slow, but five minutes at most', () => {
    expect([0, 1, 2, 3, 40].map(turnSeconds)).toEqual([60, 120, 240, 300, 300]);
  });
});

/** A user of a tenant of its own. */
async function newcomer({ platform }: Gateway): Promise<SignedInUser> {
  return addSignedInUser(platform, await addTenant(platform));
}

async function untilRunning({ platform }: Gateway, { id }: SignedInUser, count: number): Promise<void> {
  await eventually('the documents are with their engine', 20, async () => {
    const sql =
      "SELECT count(*)::integer AS count FROM document_translations WHERE owner_id = $1 AND status = 'processing'";
    return (await platform.query<{ count: number }>(sql, [id]))[0]?.count === count;
  });
}
