import type { Platform } from '../servers/platform.js';

/** A call of the research of a platform, as the ledger has it. */
export interface ResearchCall {
  readonly outcome: string;
  readonly tokens: number;
}

/** The calls that the ledger has for research, in their order. */
export function researchCalls(platform: Platform): Promise<ResearchCall[]> {
  return platform.query(`
    SELECT outcome, (prompt_tokens + completion_tokens)::integer AS tokens FROM calls
    WHERE area = 'researcher' ORDER BY id`);
}
