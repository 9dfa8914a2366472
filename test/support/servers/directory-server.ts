import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Attribute, Change, Client } from 'ldapts';
import { eventually } from '../probes/eventually.js';

const SLAPD = '/usr/sbin/slapd';
const SLAPADD = '/usr/sbin/slapadd';

/** The entry below which all others are. */
export const SUFFIX = 'dc=example,dc=test';
/** Who may do everything. */
export const MANAGER = { dn: `cn=admin,${SUFFIX}`, password: 'adminpw' } as const;

/** A person of the directory, `uid`@example.test with the password `uid`pw. */
export interface TestPerson {
  readonly uid: string;
  readonly cn?: string;
  readonly mail?: string;
}

/** The members of a group by its `cn`: those with a `=` are names of entries, others the `uid` of people. */
export type TestGroups = Readonly<Record<string, readonly string[]>>;

const PEOPLE: readonly TestPerson[] = [
  { uid: 'alice', cn: 'Alice Doe' },
  { uid: 'bob', cn: 'Bob Ray' },
];
const GROUPS: TestGroups = { admins: ['alice'], staff: ['alice', 'bob'] };

/** Whether this machine has an OpenLDAP (Debian's `slapd` and `ldap-utils`). */
export function isSlapdInstalled(): boolean {
  return existsSync(SLAPD);
}

/** The name of somebody's entry. */
export function personDn(uid: string): string {
  return `uid=${uid},ou=people,${SUFFIX}`;
}

/** The name of a group's entry. */
export function groupDn(cn: string): string {
  return `cn=${cn},ou=groups,${SUFFIX}`;
}

/** A real OpenLDAP on this machine, over a folder of its own. */
export class DirectoryServer {
  private process: ChildProcess | undefined;

  private constructor(
    private readonly folder: string,
    private readonly port: number,
    private readonly tlsPort: number,
  ) {}

  /** Starts with alice (admins, staff) and bob (staff), unless it is told otherwise. */
  static async start(people: readonly TestPerson[] = PEOPLE, groups: TestGroups = GROUPS): Promise<DirectoryServer> {
    const folder = mkdtempSync(join(tmpdir(), 'directory-'));
    mkdirSync(join(folder, 'db'));
    makeCertificates(folder);
    writeFileSync(join(folder, 'slapd.conf'), configOf(folder));
    const entries = ROOT_ENTRIES + people.map(toLdif).join('') + Object.entries(groups).map(toGroupLdif).join('');
    execFileSync(SLAPADD, ['-q', '-f', join(folder, 'slapd.conf')], {
      input: entries,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    const server = new DirectoryServer(folder, await freePort(), await freePort());
    await server.resume();
    return server;
  }

  get url(): string {
    return `ldap://localhost:${this.port}`;
  }

  get tlsUrl(): string {
    return `ldaps://localhost:${this.tlsPort}`;
  }

  /** The certificate of its authority, in PEM. */
  get ca(): string {
    return readFileSync(join(this.folder, 'ca.crt'), 'utf8');
  }

  /** Changes entries as who may do everything. */
  async change<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client({ url: this.url.replace('localhost', '127.0.0.1'), timeout: 10_000 });
    try {
      await client.bind(MANAGER.dn, MANAGER.password);
      return await work(client);
    } finally {
      await client.unbind();
    }
  }

  addPerson(person: TestPerson): Promise<void> {
    const { uid, cn = uid, mail = `${uid}@example.test` } = person;
    const attributes = { objectClass: 'inetOrgPerson', uid, cn, sn: cn, mail, userPassword: `${uid}pw` };
    return this.change((client) => client.add(personDn(uid), attributes));
  }

  /** Replaces the values of an attribute of an entry; none take it away. */
  replace(dn: string, type: string, values: string[]): Promise<void> {
    const modification = new Attribute({ type, values });
    return this.change((client) => client.modify(dn, new Change({ operation: 'replace', modification })));
  }

  /** Starts it again after `stop`. */
  async resume(): Promise<void> {
    const urls = `ldap://127.0.0.1:${this.port}/ ldaps://127.0.0.1:${this.tlsPort}/`;
    const config = join(this.folder, 'slapd.conf');
    this.process = spawn(SLAPD, ['-f', config, '-h', urls, '-d', '0'], { stdio: 'ignore' });
    await eventually('the directory answers', 20, () => this.change(async () => true));
  }

  async stop(): Promise<void> {
    const { process } = this;
    if (!process || process.exitCode !== null) return;
    process.kill('SIGTERM');
    await once(process, 'exit');
  }

  async close(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function configOf(folder: string): string {
  return `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
pidfile ${folder}/slapd.pid
argsfile ${folder}/slapd.args
TLSCACertificateFile ${folder}/ca.crt
TLSCertificateFile ${folder}/server.crt
TLSCertificateKeyFile ${folder}/server.key
TLSVerifyClient never
sizelimit 500
database mdb
suffix "${SUFFIX}"
rootdn "${MANAGER.dn}"
rootpw ${MANAGER.password}
directory ${folder}/db
maxsize 1073741824
limits dn.exact="${personDn('limited')}" size.soft=10 size.hard=10 size.prtotal=10
dbnosync
index objectClass eq
index uid,mail,member eq
index entryUUID,modifyTimestamp eq
access to attrs=userPassword by self write by anonymous auth by * none
access to * by users read by anonymous auth
`;
}

const ROOT_ENTRIES = `dn: ${SUFFIX}
objectClass: dcObject
objectClass: organization
o: Example
dc: example

dn: ou=people,${SUFFIX}
objectClass: organizationalUnit
ou: people

dn: ou=groups,${SUFFIX}
objectClass: organizationalUnit
ou: groups

`;

function toLdif({ uid, cn = uid, mail = `${uid}@example.test` }: TestPerson): string {
  const lines = [`uid: ${uid}`, `cn: ${cn}`, `sn: ${cn}`, `mail: ${mail}`, `userPassword: ${uid}pw`];
  return `dn: ${personDn(uid)}\nobjectClass: inetOrgPerson\n${lines.join('\n')}\n\n`;
}

function toGroupLdif([cn, members]: [string, readonly string[]]): string {
  const lines = members.map((member) => `member: ${member.includes('=') ? member : personDn(member)}`);
  return `dn: ${groupDn(cn)}\nobjectClass: groupOfNames\ncn: ${cn}\n${lines.join('\n')}\n\n`;
}

function makeCertificates(folder: string): void {
  const openssl = (...args: string[]): void => void execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const isAuthority = ['-addext', 'basicConstraints=critical,CA:TRUE', '-addext', 'keyUsage=critical,keyCertSign'];
  openssl(
    'req',
    '-x509',
    ...key,
    '-days',
    '2',
    '-subj',
    '/CN=Test CA',
    ...isAuthority,
    '-keyout',
    'ca.key',
    '-out',
    'ca.crt',
  );
  openssl('req', ...key, '-subj', '/CN=localhost', '-keyout', 'server.key', '-out', 'server.csr');
  writeFileSync(join(folder, 'names'), 'subjectAltName=DNS:localhost\n');
  const signed = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'names'];
  openssl('x509', '-req', '-in', 'server.csr', ...signed, '-out', 'server.crt');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
