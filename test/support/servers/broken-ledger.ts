import type { Platform } from './platform.js';

const BROKEN = `BEGIN RAISE EXCEPTION 'the database is starting up' USING ERRCODE = '57P03'; END`;

/** Makes the ledger fail as it does while the database is away; everything else of the database goes on. */
export async function breakLedger(platform: Platform): Promise<{ mend(): Promise<void> }> {
  const { dataSource } = platform.app.database;
  const sql = "SELECT pg_get_functiondef('ledger_flush'::regproc) AS definition";
  const [{ definition }] = await dataSource.query<[{ definition: string }]>(sql);
  await dataSource.query(definition.replace(/AS \$function\$[^]*\$function\$/, `AS $function$ ${BROKEN} $function$`));
  return {
    async mend() {
      await dataSource.query(definition);
    },
  };
}
