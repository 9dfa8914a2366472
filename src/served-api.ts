import { fileURLToPath } from 'node:url';
import type { Domain } from './graph/domain.js';
import { buildGraph } from './graph/graph.js';
import type { Graph } from './graph/graph.js';
import type { Endpoint } from './rest/endpoint.js';
import { describeApi } from './rest/openapi/openapi.js';
import type { OpenapiDocument } from './rest/openapi/openapi.js';
import { readEndpoints } from './rest/read-documents.js';

const REST_DOCUMENTS = fileURLToPath(new URL('../schema/rest', import.meta.url));

/** What a server with some domains offers. */
export interface ServedApi {
  readonly graph: Graph;
  readonly endpoints: readonly Endpoint[];
  readonly openapi: () => OpenapiDocument;
}

/** Built once in a process: servers with the same domains differ in what answers, and that is in the context of requests. */
const apis = new Map<string, Promise<ServedApi>>();

/** @param all every domain, the served ones among them */
export function apiOf(served: readonly Domain[], all: readonly Domain[], production: boolean): Promise<ServedApi> {
  const names = served.map((domain) => domain.name);
  const key = JSON.stringify([names, production]);
  const known = apis.get(key) ?? buildApi(served, all, production);
  apis.set(key, known);
  return known;
}

async function buildApi(served: readonly Domain[], all: readonly Domain[], production: boolean): Promise<ServedApi> {
  const graph = await buildGraph(served, all, production);
  const names = served.map((domain) => domain.name);
  const endpoints = readEndpoints(REST_DOCUMENTS, names, graph);
  let description: OpenapiDocument | undefined;
  const openapi = () => (description ??= describeApi(REST_DOCUMENTS, endpoints, graph.schema));
  return { graph, endpoints, openapi };
}
