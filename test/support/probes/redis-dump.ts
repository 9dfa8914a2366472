import { createClient, RESP_TYPES } from '@redis/client';

/** How the whole of a key is read, by its type. */
const READ_ALL: Record<string, (key: string) => string[]> = {
  string: (key) => ['GET', key],
  hash: (key) => ['HGETALL', key],
  set: (key) => ['SMEMBERS', key],
  zset: (key) => ['ZRANGE', key, '0', '-1'],
  list: (key) => ['LRANGE', key, '0', '-1'],
};

/** Everything that Redis holds, as bytes; other tests write to it meanwhile. */
export async function redisDump(url: string): Promise<Buffer> {
  const client = createClient({ url, commandOptions: { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } } });
  await client.connect();
  const keys = (await client.keys('*')).map(String);
  const values = keys.map(async (key) => {
    const type = await client.type(key);
    // What has expired since has no type.
    if (String(type) === 'none') return [];
    const read = READ_ALL[String(type)];
    if (!read) throw new Error(`${key} is a ${String(type)}, which this test cannot read.`);
    return client.sendCommand<unknown>(read(key));
  });
  const dump = bytesOf([keys, await Promise.all(values)]);
  client.destroy();
  return dump;
}

/** All that an answer of Redis has in it: texts, lists, and names with their values. */
function bytesOf(answer: unknown): Buffer {
  if (Buffer.isBuffer(answer)) return answer;
  if (typeof answer !== 'object' || answer === null) return Buffer.from(String(answer ?? ''));
  return Buffer.concat((Array.isArray(answer) ? answer : Object.entries(answer).flat()).map(bytesOf));
}
