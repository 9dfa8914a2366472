import { expect, it } from '@jest/globals';
import type { AnyJson } from '../support/probes/any-json.js';
import { DocumentProbe, INVOICE, INVOICE_SCHEMA } from '../support/builders/documents.js';
import { usePlatform } from '../support/servers/use-servers.js';

const platform = usePlatform();

it('the calibration of a session is what people have said of its values, by their confidence', async () => {
  const { access_token: token } = await platform.login();
  const session = await DocumentProbe.create(platform, token, { schema: INVOICE_SCHEMA, review_threshold: 1 });
  await session.read({ 'invoice.txt': INVOICE });
  const { body: items } = await session.review();
  const idOf = (field: string) => (items.data as AnyJson[]).find((item) => item.field === field)?.id as string;
  const before = await calibrationOf(session);

  await session.resolve(idOf('number'), { action: 'accept' });
  await session.resolve(idOf('total'), { action: 'correct', value: 1_200 });
  await session.resolve(idOf('date'), { action: 'correct', value: '2024-05-18' });
  await session.resolve(idOf('purchase_order'), { action: 'reject' });
  const after = await calibrationOf(session);

  expect(before).toEqual([]);
  expect(after.reduce((sum, { resolved }) => sum + resolved, 0)).toBe(3);
  expect(after.reduce((sum, { correct }) => sum + correct, 0)).toBe(2);
  for (const { from, to, mean_confidence: mean } of after) {
    expect(to - from).toBeCloseTo(0.1);
    expect(mean).toBeGreaterThanOrEqual(from);
    expect(mean).toBeLessThanOrEqual(to);
  }
});

async function calibrationOf(session: DocumentProbe): Promise<AnyJson[]> {
  return (await session.get()).body.calibration as AnyJson[];
}
