import type { Random } from '../../crash/random.js';
import { addSignedInUser, addTenant } from '../../support/builders/accounts.js';
import type { SignedInUser } from '../../support/builders/accounts.js';
import type { AnyJson } from '../../support/probes/any-json.js';
import { KnowledgeProbe } from '../../support/builders/knowledge.js';
import type { Platform } from '../../support/servers/platform.js';

const TENANTS = 2;
const USERS = 2;
const BASES = 3;
const QUESTIONS = ['canteen', 'lunch at noon', 'Who pays for lunch in the canteen?', 'zebras', 'price of lunch'];
const CHAT = '/v1/knowledgebase/chat/completions';

/** A base as it must be. */
interface KnownBase {
  readonly probe: KnowledgeProbe;
  readonly owner: SignedInUser;
  isPrivate: boolean;
  /** Ids of files. */
  readonly files: string[];
}

/** What was asked, and how often somebody found something. */
export interface Tally {
  queries: number;
  chats: number;
  refused: number;
  changes: number;
  passages: number;
  readonly problems: string[];
}

/** The bases of two tenants with two users each, who ask whatever they like, while their owners change them. */
export class SharedBases {
  readonly tally: Tally = { queries: 0, chats: 0, refused: 0, changes: 0, passages: 0, problems: [] };
  private readonly bases: KnownBase[] = [];
  private readonly users: SignedInUser[] = [];

  constructor(
    private readonly platform: Platform,
    private readonly random: Random,
    /** How is asked. */
    private readonly modes: readonly string[] = ['hybrid', 'vector', 'keyword'],
  ) {}

  async begin(): Promise<void> {
    for (let tenant = 0; tenant < TENANTS; tenant += 1) {
      const id = await addTenant(this.platform);
      for (let user = 0; user < USERS; user += 1) this.users.push(await addSignedInUser(this.platform, id));
    }
    for (const owner of this.users) {
      for (let index = 0; index < BASES; index += 1) {
        const isPrivate = index > 0;
        const probe = await KnowledgeProbe.create(this.platform, owner.token, { is_private: isPrivate });
        const base = { probe, owner, isPrivate, files: [] };
        this.bases.push(base);
        await this.addFile(base);
        await this.addFile(base);
      }
    }
  }

  /** Does one thing after another: most of them ask. */
  async play(count: number): Promise<void> {
    for (let step = 0; step < count; step += 1) {
      const chosen = this.random.next();
      if (chosen < 0.02) await this.change();
      else if (chosen < 0.05) await this.chat();
      else await this.query();
    }
  }

  private async query(): Promise<void> {
    const user = this.random.pick(this.users);
    const base = this.random.pick(this.bases);
    const request = { query: this.random.pick(QUESTIONS), mode: this.random.pick(this.modes), top_k: 100 };
    const { status, body } = await base.probe.as(user.token).request('POST', '/query', request);
    this.tally.queries += 1;
    this.check({ user, asked: [base], status, told: (body.data ?? []) as AnyJson[] });
  }

  private async chat(): Promise<void> {
    const user = this.random.pick(this.users);
    const asked = [...new Set([this.random.pick(this.bases), this.random.pick(this.bases)])];
    const { status, body } = await this.platform.as(user.token).post(CHAT, {
      model: 'builtin-extractive',
      knowledgebase_ids: asked.map(({ probe }) => probe.id),
      messages: [{ role: 'user', content: this.random.pick(QUESTIONS) }],
    });
    this.tally.chats += 1;
    this.check({ user, asked, status, told: (body.citations ?? []) as AnyJson[] });
  }

  private check(seen: {
    readonly user: SignedInUser;
    readonly asked: readonly KnownBase[];
    readonly status: number;
    readonly told: readonly AnyJson[];
  }): void {
    const { user, asked, status, told } = seen;
    const { tally } = this;
    const isAllowed = asked.every((base) => mayRead(user, base));
    if (status !== (isAllowed ? 200 : 404)) tally.problems.push(`${status} where ${isAllowed ? 200 : 404} was due`);
    if (!isAllowed) tally.refused += 1;
    const allowed = new Set(isAllowed ? asked.flatMap(({ files }) => files) : []);
    const foreign = told.filter(({ file_id: id }) => !allowed.has(id));
    if (foreign.length > 0)
      tally.problems.push(`${user.email} was told of ${foreign.map(({ file_id: id }) => id).join(', ')}`);
    tally.passages += told.length;
  }

  /** What an owner does, which holds when it is answered. */
  private async change(): Promise<void> {
    const base = this.random.pick(this.bases);
    this.tally.changes += 1;
    if (this.random.chance(0.5)) {
      base.isPrivate = !base.isPrivate;
      await base.probe.request('PATCH', '', { is_private: base.isPrivate });
    } else {
      const [id] = base.files.splice(0, 1);
      await base.probe.request('DELETE', `/files/${id}`);
      await this.addFile(base);
    }
  }

  private async addFile(base: KnownBase): Promise<void> {
    const mark = this.random.between(0, 2 ** 31);
    const [file] = await base.probe.index({
      [`${mark}.txt`]: `Lunch in the canteen ${mark} costs ${mark} euros at noon.`,
    });
    base.files.push(file?.id as string);
  }
}

function mayRead(user: SignedInUser, { owner, isPrivate }: KnownBase): boolean {
  return user.id === owner.id || (user.tenantId === owner.tenantId && !isPrivate);
}
