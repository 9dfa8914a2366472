import { z } from 'zod';
import type { DomainModule, DomainParts, Host } from '../domain-module.js';
import type { InferencePorts } from '../inference/domain.js';
import { CallSanitizers } from './calls/call-sanitizers.js';
import { SanitizerMetrics } from './calls/sanitizer-metrics.js';
import { Sanitizer1795348136153 } from './migrations/1795348136153-sanitizer.js';
import { SanitizerPolicies } from './policies/sanitizer-policies.js';
import { SanitizerPoliciesService } from './policies/sanitizer-policies.service.js';
import { SanitizerPolicy } from './policies/sanitizer-policy.entity.js';
import { SanitizerPolicyResolver } from './policies/sanitizer-policy.resolver.js';

const POLL_MS = 500;

const sanitizerConfig = z.object({});

/** What is kept from models, and from those who read their answers. */
export const sanitizer: DomainModule<typeof sanitizerConfig, Pick<InferencePorts, 'models'>, object> = {
  name: 'sanitizer',
  config: sanitizerConfig,
  entities: [SanitizerPolicy],
  migrations: [Sanitizer1795348136153],
  create: createSanitizer,
};

async function createSanitizer(
  { audit, database, log, metrics }: Host<object>,
  { models }: Pick<InferencePorts, 'models'>,
): Promise<DomainParts<object>> {
  const { dataSource } = database;
  const policies = new SanitizerPolicies(dataSource, log);
  const refresh = (): Promise<void> => policies.refresh();
  await refresh();
  models.use(new CallSanitizers(policies, new SanitizerMetrics(metrics)).create);
  return {
    resolvers: [new SanitizerPolicyResolver(new SanitizerPoliciesService(dataSource, policies, audit))],
    references: [],
    gauges: [policies.gauge],
    // The embedded database has no other replica.
    tasks: database.embedded ? [] : [{ name: 'polling sanitizer policies', intervalMs: POLL_MS, run: refresh }],
    eraseTenant: async ({ id }, { transaction }) => {
      await transaction(async (tx) => void (await tx.delete(SanitizerPolicy, { tenantId: id })));
      await refresh();
    },
    ports: {},
  };
}
