import type { TestBed } from '../../crash/test-bed.js';
import { writeThroughKills } from '../../crash/scenarios/audit-killed.js';
import type { Proof, ProofOptions, Proven } from '../proof.js';

const ENTRIES = 20_000;
const KILLS = 40;

/** Nothing that a transaction has committed is missing in the audit log, whatever is killed. */
export const auditChain: Proof = {
  name: 'audit',
  about:
    'three processes write 20,000 audit entries each while they and the servers are killed: all are in one chain each',
  run: async (bed: TestBed, { seed }: ProofOptions): Promise<Proven> => {
    const environment = await bed.openEnvironment('audit', 1, seed);
    try {
      const started = performance.now();
      const { killed, found } = await writeThroughKills(environment, { kills: KILLS, entries: ENTRIES });
      const seconds = Math.round((performance.now() - started) / 1_000);
      const report = [
        `## Audit: seed ${seed}`,
        '| killed | entries that were committed, all of them sealed | seconds |\n| --- | --- | --- |',
        `| ${killed} | ${found} | ${seconds} |`,
      ];
      return { report: `${report[0]}\n\n${report.slice(1).join('\n')}\n`, problems: [] };
    } finally {
      await environment.close();
    }
  },
};
