import type { Gateway } from '../support/gateway.js';

/** Does something while the caller's tenant has nothing left to use, so that every call of a model is 429. */
export async function whileQuotaIsExceeded<T>(
  { platform, token }: Pick<Gateway, 'platform' | 'token'>,
  work: () => Promise<T>,
): Promise<T> {
  const { body } = await platform.graphql('{ me { tenant { id } } }', {}, token);
  const path = `/v1/admin/tenants/${body.data.me.tenant.id}/quota`;
  const limitTo = (tokens: number | null) =>
    platform.request('PUT', path, { token, body: { enforcing: tokens !== null, tokens } });
  await limitTo(0);
  try {
    return await work();
  } finally {
    await limitTo(null);
  }
}

/** How many requests the server has refused with 429 so far. */
export function countLimited({ platform }: Pick<Gateway, 'platform'>): number {
  return platform.logLines.filter((line) => line.includes('"status":429')).length;
}
