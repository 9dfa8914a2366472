import { Client } from 'pg';
import { account } from './contenders.js';

/** Accounts of one kind, numbered from 1. All have the administrator's password. */
export interface AccountSeries {
  /** Their addresses are `<name><number>@<domain>`. */
  readonly name: string;
  readonly count: number;
  /** Default: `example.test`. */
  readonly domain?: string;
  /** Default: `active`. */
  readonly status?: 'active' | 'suspended';
  /** They have registered, and not confirmed their address. */
  readonly isPending?: boolean;
  /** Default: that of users. */
  readonly privileges?: readonly string[];
}

const ADD = `
  INSERT INTO users (id, tenant_id, email, username, password_hash, confirmed, confirm_before, status, privileges,
                     group_memberships, user_version, created_at)
  SELECT 'usr_' || substr(md5($1::text || n), 1, 26), tenant_id, $1::text || n || '@' || $2, 'Bench', password_hash,
         $5::timestamptz IS NULL, $5, $4, $6, '{}', 1, now()
  FROM users, generate_series(1, $3::integer) n WHERE email = $7`;

/** Adds accounts to the administrator's tenant, straight into the table: each by itself would cost a hash. */
export async function addAccounts(database: Client, series: AccountSeries): Promise<void> {
  const { name, count, domain = 'example.test', status = 'active', isPending, privileges = ['user'] } = series;
  const confirmBefore = isPending ? new Date(Date.now() + 86_400_000) : null;
  await database.query(ADD, [name, domain, count, status, confirmBefore, privileges, account.email]);
}

/** Works on the database of a server, past it. */
export async function withDatabase<T>(url: string, work: (database: Client) => Promise<T>): Promise<T> {
  const database = new Client({ connectionString: url });
  await database.connect();
  try {
    return await work(database);
  } finally {
    await database.end();
  }
}
