import type { Host } from '../../domain-module.js';
import type { PeriodicTask } from '../../platform/async/periodic.js';
import { ByteBudget } from '../../platform/async/byte-budget.js';
import type { LimitedJobHandler } from '../../platform/jobs/job.types.js';
import { egressRule } from '../../platform/net/egress-rule.js';
import type { KindTester } from '../providers/provider-tester.js';
import type { LdapSettings } from '../providers/provider-settings.js';
import type { ProviderStore } from '../providers/provider-store.js';
import type { Accounts } from '../users/accounts.js';
import type { ExternalPeople } from '../users/external-people.js';
import { DirectorySignIn } from './directory-sign-in.js';
import { DirectoryTester } from './directory-tester.js';
import { DIRECTORY_SYNC_JOB, DirectorySyncRunner } from './sync/directory-sync-runner.js';
import { DirectorySyncResolver } from './sync/directory-sync.resolver.js';
import { DirectorySyncsService } from './sync/directory-syncs.service.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
const ABANDONED_MS = 15_000;
/** A sync waits for its directory most of the time: those of some tenants must not keep the others' waiting. */
const SYNC_LIMITS = { atOnce: 6, atOnceForTenant: 1 } as const;
/** What all syncs of this process may keep of groups; beyond, they are asked for one person after another. */
const GROUP_BYTES = 128 * 1024 * 1024;

/** What directories use of the rest of identity. */
interface DirectoriesNeeds {
  readonly store: ProviderStore;
  readonly accounts: Accounts;
  readonly people: ExternalPeople;
}

/** What directories add to identity. */
interface Directories {
  readonly signIn: DirectorySignIn;
  /** Tries a directory as a sign-in would; it never throws. */
  readonly test: KindTester<LdapSettings>;
  readonly resolvers: readonly [DirectorySyncResolver];
  readonly jobHandlers: Readonly<Record<string, LimitedJobHandler>>;
  readonly eraseUser: DirectorySyncsService['eraseUser'];
  readonly tasks: readonly PeriodicTask[];
}

/** Wires directories. */
export function createDirectories(host: Host<object>, needs: DirectoriesNeeds): Directories {
  const { audit, config, database, jobs, jobRecords, log, topics } = host;
  const { dataSource } = database;
  const rule = egressRule(config.egressAllow, config.egressPorts);
  const groupMemory = new ByteBudget(GROUP_BYTES);
  const runner = new DirectorySyncRunner({ ...needs, dataSource, rule, groupMemory, topics, log });
  const syncs = new DirectorySyncsService({ dataSource, jobs, jobRecords, topics, audit });
  const tester = new DirectoryTester(rule);
  return {
    signIn: new DirectorySignIn({ ...needs, rule, log }),
    test: (provider) => tester.test(provider),
    resolvers: [new DirectorySyncResolver(syncs)],
    eraseUser: syncs.eraseUser,
    jobHandlers: { [DIRECTORY_SYNC_JOB]: { run: runner.run, ...SYNC_LIMITS } },
    tasks: [
      { name: 'the clean-up of directory syncs', intervalMs: DAY_MS, run: () => syncs.prune() },
      { name: 'ending syncs whose jobs are over', intervalMs: ABANDONED_MS, run: () => syncs.endAbandoned() },
    ],
  };
}
