import type { Gateway } from '../support/servers/gateway.js';
import { setQuota } from '../support/builders/quota.js';

/** Does something while the caller's tenant has nothing left to use, so that every call of a model is 429. */
export async function whileQuotaIsExceeded<T>(gateway: Gateway, work: () => Promise<T>): Promise<T> {
  await setQuota(gateway, { enforcing: true, tokens: 0 });
  try {
    return await work();
  } finally {
    await setQuota(gateway, { enforcing: false, tokens: null });
  }
}

/** How many requests the server has refused with 429 so far. */
export function countLimited({ platform }: Gateway): number {
  return platform.logLines.filter((line) => line.includes('"status":429')).length;
}
