import 'reflect-metadata';
import { pino } from 'pino';
import net from 'node:net';
import { rmSync, readdirSync } from 'node:fs';
import { readConfig } from '../src/config.ts';
import { openDatabase, embeddedSecretKey } from '../src/platform/database.ts';
const c=readConfig();
const db=await openDatabase(c,pino({level:'debug'}));
const q=(s:string)=>Promise.race([db.dataSource.query(s).catch(e=>'ERR '+e.message), new Promise(r=>setTimeout(r,8000,'TIMEOUT'))]);
console.log(await q('create table t(id int)'));
if (process.argv[2]==='wal') {
  rmSync(c.dataDir+'/postgres/pg_wal',{recursive:true});
  console.log(await q("insert into t select generate_series(1,1000000)"));
  console.log(await q("checkpoint"));
  console.log(await q("select 1"));
  console.log(await q("select pg_switch_wal()"));
  console.log(await q("select 1"));
} else {
  const sock=(db.dataSource.options as any).host+'/.s.PGSQL.5432';
  console.log(readdirSync((db.dataSource.options as any).host));
  // raw client: startup, then Parse of bad SQL without Sync, then die
  const s=net.connect(sock); await new Promise(r=>s.once('connect',r));
  const su=Buffer.from('user\0postgres\0database\0postgres\0\0'); const h=Buffer.alloc(8); h.writeInt32BE(8+su.length,0); h.writeInt32BE(196608,4);
  s.write(Buffer.concat([h,su])); await new Promise(r=>s.once('data',r));
  const body=Buffer.concat([Buffer.from('\0'),Buffer.from('selec nonsense\0'),Buffer.from([0,0])]); const ph=Buffer.alloc(5); ph[0]=0x50; ph.writeInt32BE(4+body.length,1);
  s.write(Buffer.concat([ph,body])); console.log(String(await new Promise(r=>s.once('data',r))));
  s.destroy();
  console.log(await q('select 1'));
  // break the pool's own connection so that a new one is made
  const qr=db.dataSource.createQueryRunner(); const cl:any=await qr.connect(); cl.connection.stream.destroy(); await new Promise(r=>setTimeout(r,50));
  console.log(await q('select 2'));
}
process.exit();
