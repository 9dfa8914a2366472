import type { Platform } from '../servers/platform.js';

/** Something that was recorded, sealed or not. */
export interface AuditRow {
  readonly tenant_id: string | null;
  readonly action: string;
  readonly actor_type: string;
  readonly actor_id: string | null;
  readonly target_type: string | null;
  readonly target_id: string | null;
  readonly outcome: string;
  readonly reason: string | null;
  readonly ip: string | null;
  readonly user_agent: string | null;
  readonly request_id: string | null;
  readonly server_request_id: string | null;
}

const COLUMNS = `
  id, tenant_id, action, actor_type, actor_id, target_type, target_id, outcome, reason, ip, user_agent, request_id,
  server_request_id`;
const ENTRIES = COLUMNS.replace('tenant_id', "nullif(chain, 'platform') AS tenant_id");

/**
 * What was recorded, the oldest first; whether it is sealed does not matter.
 * @param condition SQL over the columns of `AuditRow`
 */
export function auditRows(platform: Platform, condition: string, values: unknown[] = []): Promise<AuditRow[]> {
  const all = `SELECT ${COLUMNS} FROM audit_records UNION ALL SELECT ${ENTRIES} FROM audit_entries`;
  return platform.query(`SELECT * FROM (${all}) AS recorded WHERE ${condition} ORDER BY id`, values);
}

/** Ends the windows in which refusals are counted; what was counted is recorded within 10 seconds. */
export async function endRefusalWindows(platform: Platform): Promise<void> {
  await platform.query("UPDATE audit_refusals SET ends_at = now() - interval '1 second'");
}
