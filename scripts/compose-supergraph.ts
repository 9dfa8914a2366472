/**
 * Writes the supergraph of running servers to standard output, for a router:
 *
 *   npm run --silent supergraph -- identity=http://10.0.0.1:8080/graphql metering=http://… > supergraph.graphql
 *
 * Each server is asked for its own subgraph, so what is composed is what is served. In production it wants a service
 * key for that: `SERVICE_KEY=key_….…`.
 */
import { composeServices } from '@theguild/federation-composition';
import { parse } from 'graphql';
import type { DocumentNode } from 'graphql';

const subgraphs = process.argv.slice(2).map((argument) => {
  const [, name, url] = /^(\w+)=(https?:.+)$/.exec(argument) ?? fail(`${argument}: write it as name=URL.`);
  return { name: name as string, url: url as string };
});
if (subgraphs.length === 0) fail('Name at least one subgraph: name=URL.');
const services = await Promise.all(
  subgraphs.map(async (subgraph) => ({ ...subgraph, typeDefs: await servedBy(subgraph.url) })),
);
const { errors, supergraphSdl } = { errors: undefined, ...composeServices(services) };
if (supergraphSdl === undefined) fail((errors ?? []).map(({ message }) => message).join('\n'));
process.stdout.write(`${supergraphSdl}\n`);

async function servedBy(url: string): Promise<DocumentNode> {
  const key = process.env.SERVICE_KEY;
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
    body: JSON.stringify({ query: '{ _service { sdl } }' }),
    signal: AbortSignal.timeout(10_000),
  }).catch((error: Error) => fail(`${url} does not answer: ${error.message}`));
  const { data, errors } = (await response.json()) as {
    data?: { _service: { sdl: string } };
    errors?: readonly { message: string }[];
  };
  return data ? parse(data._service.sdl) : fail(`${url}: ${errors?.[0]?.message ?? response.status}`);
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
