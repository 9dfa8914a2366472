import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { getNamedType, getNullableType, isListType } from 'graphql';
import type { Binding, Endpoint } from '../../../src/rest/endpoint.js';
import { silentWav } from '../../support/builders/recordings.js';
import { askRest } from './ask.js';
import type { RestRequest } from './ask.js';
import { HEADERS, INPUTS } from './inputs.js';
import type { Values } from './inputs.js';
import { linesOf } from './operation.js';
import type { IdVariable, Operation } from './operation.js';
import { KINDS } from './resources.js';
import type { World } from './world.js';

/** Ids that others have given: they name nothing of ours. */
const FOREIGN_IDS: ReadonlySet<string> = new Set(['client_id', 'external_id', 'oid', 'tid']);
/** The kinds of ids that the examples of the documents leave out. */
const KINDS_OF_VARIABLES: Readonly<Record<string, string>> = {
  credibility_config_id: 'cred',
  identity_provider_id: 'dir',
  knowledgebase_ids: 'kb',
  replay_of: 'rs',
  tenant_id: 'ten',
  user_id: 'usr',
};
/** The kinds of ids that their prefix does not tell, by the name of the REST document. */
const KINDS_OF_DOCUMENTS: Readonly<Record<string, string>> = {
  CancelResearchSession: 'queued research',
  DeleteDocumentTranslation: 'translated document',
  EndSession: 'session',
  GetDocumentTranslation: 'translated document',
  GetDocumentTranslationContent: 'translated document',
  GetRecordingTranscript: 'heard recording',
  TranscribeRecording: 'heard recording',
  GetModel: 'model',
};

interface Examples {
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly request?: Readonly<Record<string, { readonly value: Values }>>;
}

/** The REST endpoints, each with every id that it takes. */
export function endpointOperations(endpoints: readonly Endpoint[]): Operation[] {
  return endpoints.flatMap((endpoint) => {
    const { method, path, when } = endpoint;
    const name = `${method} ${path}${when ? ` ${when.name}=${when.value ?? 'true'}` : ''}`;
    return linesOf(idsOf(endpoint), (suffix, ids) => ({
      name: name + suffix,
      pair: pairOf(endpoint, suffix),
      access: endpoint.access,
      effect: endpoint.operation === 'Mutation' ? 'change' : 'read',
      ...ids,
      ...valuesOf(endpoint, ids.id),
      send: (sender, values) => askRest(sender, toRequest(endpoint, values)),
    }));
  });
}

/** What is the same for an endpoint and its root field; undefined for files, which REST alone takes. */
export function pairOf({ name, parts }: Endpoint, suffix: string): string | undefined {
  return parts ? undefined : name + suffix;
}

/** What an endpoint is sent beside ids: its example, or what is said in its place; the same for its root field. */
export function valuesOf(endpoint: Endpoint, id?: IdVariable): Pick<Operation, 'valuesFor' | 'headersFor'> {
  const { parameters, request = {} } = examplesOf(endpoint);
  const [example] = Object.values(request);
  const isWhole = endpoint.bindings.some(({ source }) => source === 'whole-body');
  const ids = new Set(endpoint.bindings.filter(isId).map(({ name }) => name));
  // Of a list as much as there is, whatever the example looks for.
  const isPaged = endpoint.bindings.some(({ name }) => name === 'limit');
  const usual = Object.entries(isPaged ? { limit: 100 } : (parameters ?? {})).filter(([name]) => !ids.has(name));
  return {
    valuesFor: async (world: World) => {
      const body = (await INPUTS[endpoint.name]?.(world, id?.name)) ?? example?.value;
      return { ...Object.fromEntries(usual), ...(isWhole ? { body } : body) };
    },
    headersFor: (values) => HEADERS[endpoint.name]?.(values) ?? {},
  };
}

/** The ids of ours that an endpoint takes. @throws Error for one whose kind is not known */
export function idsOf(endpoint: Endpoint): IdVariable[] {
  return endpoint.bindings.filter(isId).map(({ name, required, type }) => ({
    name,
    isRequired: required,
    kind: kindOf(endpoint, name),
    isList: isListType(getNullableType(type)),
  }));
}

function isId({ name, type }: Binding): boolean {
  return getNamedType(type).name === 'ID' && !FOREIGN_IDS.has(name);
}

function kindOf(endpoint: Endpoint, name: string): string {
  const example = examplesOf(endpoint).parameters?.[name];
  const [prefix = ''] = String(example ?? '').split('_');
  const kind = KINDS_OF_VARIABLES[name] ?? KINDS_OF_DOCUMENTS[endpoint.name] ?? prefix;
  if (kind in KINDS) return kind;
  throw new Error(
    `What the id ${name} of ${endpoint.name} names is not known: give it an example in its document's examples, with a ` +
      'prefix of KINDS in resources.ts, or name its kind in endpoint-operations.ts.',
  );
}

function examplesOf({ file, name }: Endpoint): Examples {
  const examples = JSON.parse(readFileSync(`${file}.examples.json`, 'utf8')) as Readonly<Record<string, Examples>>;
  return examples[name] ?? {};
}

function toRequest({ method, path, bindings, parts, rootField }: Endpoint, values: Values): RestRequest {
  const given = bindings.filter(({ name }) => values[name] !== undefined);
  const from = (source: Binding['source']) => given.filter((binding) => binding.source === source);
  const query = new URLSearchParams(from('query').map(({ name }): [string, string] => [name, String(values[name])]));
  const fields = Object.fromEntries(from('body').map(({ name }) => [name, values[name]]));
  const [whole] = from('whole-body');
  const hasBody = method !== 'GET' && method !== 'DELETE';
  return {
    method,
    path: path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name]))) + queryText(query),
    body: parts
      ? newFile(parts.raw.length > 0 || rootField.endsWith('Audio'), parts.fields.includes('target_language'))
      : hasBody
        ? whole
          ? values[whole.name]
          : fields
        : undefined,
  };
}

/** A file that nobody has sent before. @param isAudio whether nothing else is taken */
function newFile(isAudio: boolean, isTranslated: boolean): FormData {
  const form = new FormData();
  if (isTranslated) form.append('target_language', 'de');
  if (isAudio) form.append('file', new Blob([silentWav(0.1) as never]), 'silence.wav');
  else form.append('file', new Blob([`Lunch is at noon. ${randomUUID()}`]), 'lunch.txt');
  return form;
}

function queryText(query: URLSearchParams): string {
  return query.size > 0 ? `?${query}` : '';
}
