import { sessionIdOf } from '../../../src/identity/sessions/session-secret.js';
import { DirectorySync } from '../../../src/identity/directories/sync/directory-sync.entity.js';
import { newId, toUuid } from '../../../src/platform/ids.js';
import type { ResearchStatus } from '../../../src/researcher/sessions/research-session.entity.js';
import { eventually } from '../../support/probes/eventually.js';
import { silentWav } from '../../support/builders/recordings.js';
import { addResearchSession, tell } from '../../support/builders/research.js';
import { SHOWN_TARGETS } from './callers.js';
import type { Target, Whose } from './callers.js';
import { COPIES } from './copies.js';
import type { RestAnswer } from '../../support/servers/platform.js';
import type { World } from './world.js';

/** A kind of things that have ids. */
interface Kind {
  /** Whether each belongs to a user, and not to the tenant alone. */
  readonly isPersonal: boolean;
  /** Whether administrators see what belongs to the users of their tenant. */
  readonly isAdministered?: boolean;
  /** An id of the right form that nothing has. */
  readonly unknown: string;
  /** Makes one; answers its id. */
  readonly make: (world: World, whose: Whose) => Promise<string>;
}

const SUFFIX = '01h45ytscbebyvny4gc8cr8ma2';
/** Nothing listens there. */
const NOWHERE = '127.0.0.1:1024';
const MALFORMED = 'nonsense';
/** A tenth of a second. */
const AUDIO = silentWav(0.1);

/** By the prefix of their ids, where that tells it. */
export const KINDS: Readonly<Record<string, Kind>> = {
  ten: { ...ofTenants('ten'), make: async (world, whose) => world.tenantOf(whose) },
  usr: { ...ofUsers('usr'), make: async (world, whose) => world.user(whose).id },
  tok: { ...ofUsers('tok'), make: async (world, whose) => (await world.bed.addApiToken(world.user(whose), ['*'])).id },
  session: { isPersonal: true, unknown: 'x'.repeat(43), make: makeSession },
  resp: { isPersonal: true, unknown: `resp_${'x'.repeat(44)}`, make: makeResponse },
  dir: { ...ofTenants('dir'), make: makeProvider },
  syn: { ...ofTenants('syn'), make: makeSync },
  job: { ...ofTenants('job'), make: makeJob },
  bck: { ...ofTenants('bck'), make: makeBackend },
  pol: { ...ofTenants('pol'), make: makePolicy },
  kb: { ...ofUsers('kb'), make: makeBase },
  file: { ...ofUsers('file'), make: makeFile },
  cred: { ...ofTenants('cred'), make: makeCredibilityConfig },
  das: { ...ofUsers('das'), isAdministered: true, make: makeDocumentSession },
  doc: { ...ofUsers('doc'), isAdministered: true, make: makeDocument },
  ri: { ...ofUsers('ri'), isAdministered: true, make: makeReviewItem },
  rec: { ...ofUsers('rec'), make: makeRecording },
  'heard recording': { ...ofUsers('rec'), make: makeHeardRecording },
  rs: { ...ofUsers('rs'), make: (world, whose) => makeResearchSession(world, whose, 'failed') },
  'queued research': { ...ofUsers('rs'), make: (world, whose) => makeResearchSession(world, whose, 'queued') },
  'translated document': { ...ofUsers('job'), make: makeTranslatedDocument },
  model: { isPersonal: false, unknown: MALFORMED, make: makeModel },
};

/** What an id of a kind can name: what belongs to a tenant belongs to no user of it. */
export function targetsOf(kind: string): readonly Target[] {
  return [...SHOWN_TARGETS.filter((target) => target !== 'mate' || kindOf(kind).isPersonal), 'malformed'];
}

/** The id of a thing of a world, which is made where it is not there, or copied from the world that has one of each. */
export async function idOf(world: World, kind: string, target: Target): Promise<string> {
  if (target === 'malformed') return MALFORMED;
  if (target === 'unknown') return kindOf(kind).unknown;
  const id = await world.once(`${kind} ${target}`, () => {
    const copy = world.pattern && COPIES[kind];
    return copy ? copy({ world, whose: target, idOf }) : kindOf(kind).make(world, target);
  });
  if (kind !== 'ten' && kind !== 'usr') {
    const { isPersonal, isAdministered = false } = kindOf(kind);
    const userId = isPersonal ? world.user(target).id : undefined;
    world.bed.owners.set(id, { tenantId: world.tenantOf(target), userId, isPrivate: isPersonal && !isAdministered });
  }
  return id;
}

/**
 * Makes one thing of each kind for everybody, so that lists have something to tell, and to hide, and others can be copied
 * from them.
 */
export async function furnish(world: World): Promise<void> {
  const targets = Object.keys(KINDS).flatMap((kind) => targetsOf(kind).map((target) => [kind, target] as const));
  await Promise.all(targets.map(([kind, target]) => idOf(world, kind, target)));
}

function kindOf(name: string): Kind {
  const kind = KINDS[name];
  if (!kind) throw new Error(`There is no kind ${name} in resources.ts.`);
  return kind;
}

function ofTenants(prefix: string) {
  return { isPersonal: false, unknown: `${prefix}_${SUFFIX}` };
}

function ofUsers(prefix: string) {
  return { isPersonal: true, unknown: `${prefix}_${SUFFIX}` };
}

async function makeSession(world: World, whose: Whose): Promise<string> {
  const [sid = ''] = await world.bed.addSessions([world.user(whose)]);
  return sessionIdOf(sid);
}

function makeResponse(world: World, whose: Whose): Promise<string> {
  const body = { model: 'builtin-extractive', input: 'Lunch is at noon.' };
  return create(world, '/v1/responses', body, world.jwtOf(whose));
}

function makeProvider(world: World, whose: Whose): Promise<string> {
  const settings = { name: 'Directory', domains: [`${world.bed.newName()}.example`], base_dn: 'dc=example' };
  const body = { kind: 'ldap', tenant_id: world.tenantOf(whose), url: `ldap://${NOWHERE}`, ...settings };
  return create(world, '/v1/admin/identity-providers', body);
}

async function makeSync(world: World, whose: Whose): Promise<string> {
  const id = newId('syn');
  const now = new Date();
  await world.bed.platform.app.database.dataSource.getRepository(DirectorySync).insert({
    id,
    providerId: await idOf(world, 'dir', whose),
    tenantId: world.tenantOf(whose),
    userId: world.user('sysadmin').id,
    jobId: newId('job'),
    providerRevision: 1,
    status: 'completed',
    full: true,
    dryRun: false,
    force: false,
    counts: { created: 0, updated: 0, suspended: 0, unchanged: 0, failed: 0 },
    errors: [],
    changes: [],
    highWater: null,
    groupsDigest: null,
    createdAt: now,
    startedAt: now,
    finishedAt: now,
  });
  return id;
}

/** One that has failed for good, so that it can be tried again and deleted; it has nothing to do. */
async function makeJob(world: World, whose: Whose): Promise<string> {
  const id = newId('job');
  const owner = { userId: world.user(whose).id, tenantId: world.tenantOf(whose) };
  await world.bed.platform.query(
    `INSERT INTO jobs.job (id, name, data, state, retry_limit, retry_count, started_on, completed_on)
     VALUES ($1, 'erase-user', $2, 'failed', 8, 8, now(), now())`,
    [toUuid(id), JSON.stringify({ payload: { pseudonym: newId('usr') }, owner })],
  );
  return id;
}

function makeBackend(world: World, whose: Whose): Promise<string> {
  const body = { name: world.bed.newName(), base_url: `http://${NOWHERE}/v1`, models: [{ id: modelOf(world, whose) }] };
  return create(world, '/v1/admin/backends', { ...body, tenant_id: world.tenantOf(whose) });
}

function makePolicy(world: World, whose: Whose): Promise<string> {
  const body = { name: 'Addresses', rules: [{ kind: 'email', action: 'mask' }], enabled: false };
  return create(world, '/v1/admin/sanitizer/policies', { ...body, tenant_id: world.tenantOf(whose) });
}

/** What its tenant has not made the default, so that it can be deleted. */
async function makeCredibilityConfig(world: World, whose: Whose): Promise<string> {
  const token = world.jwtOf(whose === 'other' ? 'stranger' : 'admin');
  const make = () => create(world, '/v1/researcher/credibility', { name: 'Reference works' }, token);
  await make();
  return make();
}

function makeBase(world: World, whose: Whose): Promise<string> {
  return create(world, '/v1/knowledgebases', { name: 'Handbook' }, world.jwtOf(whose));
}

/** With an event; the job of one that is queued comes tomorrow. */
async function makeResearchSession(world: World, whose: Whose, status: ResearchStatus): Promise<string> {
  const { platform } = world.bed;
  const sessionId = await addResearchSession(platform, world.user(whose), { status });
  await tell(platform, sessionId, [{ type: 'status', data: { status } }]);
  await platform.query(
    `INSERT INTO jobs.job (name, data, start_after) VALUES ('researcher.session', $1, now() + interval '1 day')`,
    [JSON.stringify({ payload: { sessionId, run: 1 } })],
  );
  return sessionId;
}

/** With audio, so that it can be fetched. */
async function makeRecording(world: World, whose: Whose): Promise<string> {
  const token = world.jwtOf(whose);
  const id = await create(world, '/v1/echo/recordings', { title: 'Meeting' }, token);
  const headers = { 'content-type': 'audio/wav', 'content-range': `bytes 0-${AUDIO.length - 1}/*` };
  await world.bed.platform.as(token).put(`/v1/echo/recordings/${id}/audio`, AUDIO, { headers });
  return id;
}

/** One that has a transcript already. */
async function makeHeardRecording(world: World, whose: Whose): Promise<string> {
  const id = await makeRecording(world, whose);
  const { platform } = world.bed;
  await platform.query("UPDATE recordings SET status = 'completed', run = 1, transcript_run = 1 WHERE id = $1", [id]);
  await platform.query(
    `INSERT INTO transcripts (recording_id, run, model, duration_seconds, timing, speakers, warnings, segment_count,
       created_at) VALUES ($1, 1, 'heard', 1, 'words', '{}', '[]', 0, now())`,
    [id],
  );
  return id;
}

/** A private one, whose only field is in no document. */
function makeDocumentSession(world: World, whose: Whose): Promise<string> {
  const schema = { type: 'object', required: ['x'], properties: { x: { type: 'string', title: 'Xylophone number' } } };
  const body = { name: 'Invoices', schema, is_private: true };
  return create(world, '/v1/document-analyzer/sessions', body, world.jwtOf(whose));
}

/** One that is read, so that it can be read once more. */
async function makeDocument(world: World, whose: Whose): Promise<string> {
  const { platform } = world.bed;
  const token = world.jwtOf(whose);
  const path = `/v1/document-analyzer/sessions/${await idOf(world, 'das', whose)}/documents`;
  const form = new FormData();
  form.append('file', new Blob([`Lunch is at noon. ${world.bed.newName()}`]), 'lunch.txt');
  const { body } = await platform.as(token).post(path, form);
  const { id } = body.data[0];
  await eventually('the document is read', 30, async () => {
    return (await platform.as(token).get(`${path}/${id}`)).body.status === 'ready';
  });
  return id as string;
}

async function makeReviewItem(world: World, whose: Whose): Promise<string> {
  await makeDocument(world, whose);
  const path = `/v1/document-analyzer/sessions/${await idOf(world, 'das', whose)}/review?status=pending`;
  const { body } = await world.bed.platform.request('GET', path, { token: world.jwtOf(whose) });
  return body.data[0].id as string;
}

/** One that has failed, so that it can be tried once more. */
async function makeFile(world: World, whose: Whose): Promise<string> {
  const { platform } = world.bed;
  const token = world.jwtOf(whose);
  const path = `/v1/knowledgebases/${await idOf(world, 'kb', whose)}/files`;
  const form = new FormData();
  form.append('file', new Blob([`%PDF-1.7 ${world.bed.newName()}`]), 'damaged.pdf');
  const { body } = await platform.as(token).post(path, form);
  const { id } = body.data[0];
  await eventually('the file has failed', 30, async () => {
    return (await platform.as(token).get(`${path}/${id}`)).body.status === 'failed';
  });
  return id as string;
}

/** One that is done, since it has nothing to translate. */
async function makeTranslatedDocument(world: World, whose: Whose): Promise<string> {
  const { platform } = world.bed;
  const token = world.jwtOf(whose);
  const path = '/v1/translate/documents';
  const form = new FormData();
  form.append('target_language', 'de');
  form.append('file', new Blob(['12:30']), 'time.txt');
  const id = idOfMade(path, await platform.as(token).post(path, form));
  await eventually('the document is translated', 30, async () => {
    return (await platform.as(token).get(`${path}/${id}`)).body.status === 'completed';
  });
  return id;
}

async function makeModel(world: World, whose: Whose): Promise<string> {
  await idOf(world, 'bck', whose);
  return modelOf(world, whose);
}

function modelOf(world: World, whose: Whose): string {
  return `model-of-${world.tenantOf(whose)}`;
}

/** Lets a sysadmin, unless another token is given, make something over REST; answers its id. */
async function create({ bed }: World, path: string, body: object, token = bed.credentials.sysadmin): Promise<string> {
  return idOfMade(path, await bed.platform.as(token).post(path, body));
}

/** @throws Error where nothing was made */
function idOfMade(path: string, { status, body }: RestAnswer): string {
  if (status >= 300) throw new Error(`POST ${path} answers ${status} ${JSON.stringify(body)}`);
  return body.id as string;
}
