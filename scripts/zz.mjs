import { PGlite } from '@electric-sql/pglite';
const r=()=>Math.round(process.memoryUsage.rss()/1048576);
console.log('base',r());
const db=await PGlite.create(process.argv[2]);
console.log('open',r(), Math.round(db.Module.HEAPU8.length/1048576));
await db.query('select count(*) from pg_class'); console.log('query',r());
console.log((await db.query("show shared_buffers")).rows, (await db.query("show wal_buffers")).rows,(await db.query("show max_connections")).rows, (await db.query("show fsync")).rows);
await new Promise(r=>setTimeout(r,3000)); globalThis.gc?.(); console.log('later',r(), process.memoryUsage());
