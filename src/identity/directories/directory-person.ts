import { readableName } from '../../platform/text/name.js';
import { domainOf } from '../users/email-domain.js';
import { normalizeEmail } from '../users/email.js';
import type { LdapSettings } from '../providers/provider-settings.js';
import type { LdapEntry } from './ldap/ldap-answer.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const EMAIL = /^[^@\s]+@[^@\s]+$/;
const MAX_NAME_CHARACTERS = 200;
/** Longer addresses are nobody's. */
const MAX_EMAIL_CHARACTERS = 2_000;
/** Longer times are none. */
const MAX_TIME_CHARACTERS = 40;
/** Whoever has more addresses has no more than these. */
const MAX_EMAILS = 100;

/** A person as a directory describes them. */
export interface DirectoryPerson {
  readonly dn: string;
  /** Undefined: the directory does not tell. */
  readonly externalId: string | undefined;
  /** Those in the domains of the provider, as `normalizeEmail` gives them; the first one is the account's. */
  readonly emails: readonly string[];
  readonly name: string;
  /** As the directory writes it. */
  readonly changedAt: string | undefined;
}

/** The attributes that a person is read from; operational ones must be asked for by name. */
export function personAttributes(settings: LdapSettings): string[] {
  const { id_attribute: id, email_attribute: email, name_attribute: name } = settings;
  return [...new Set([id, email, name, 'cn', changedAttribute(settings)])];
}

/** The attribute that says when an entry was changed; Active Directory cannot search for `modifyTimestamp`. */
export function changedAttribute({ id_attribute: id }: Pick<LdapSettings, 'id_attribute'>): string {
  return id === 'objectGUID' ? 'whenChanged' : 'modifyTimestamp';
}

/** Reads a person. */
export function readPerson(entry: LdapEntry, settings: LdapSettings): DirectoryPerson {
  const domains = new Set(settings.domains);
  const emails = textsOf(entry, settings.email_attribute)
    .slice(0, MAX_EMAILS)
    .flatMap(readEmail)
    .filter((email) => domains.has(domainOf(email)));
  const [email = ''] = emails;
  const [id] = entry.attributes.get(settings.id_attribute.toLowerCase()) ?? [];
  const names = [...textsOf(entry, settings.name_attribute), ...textsOf(entry, 'cn')].map(directoryName);
  return {
    dn: entry.dn,
    externalId: id && (settings.id_attribute === 'objectGUID' ? readGuid(id) : readUuid(id)),
    emails,
    name: names.find((name) => name !== '') ?? email.slice(0, email.lastIndexOf('@')),
    changedAt: textsOf(entry, changedAttribute(settings)).find(({ length }) => length <= MAX_TIME_CHARACTERS),
  };
}

/** The values of an attribute as texts. */
export function textsOf(entry: LdapEntry, attribute: string): string[] {
  return (entry.attributes.get(attribute.toLowerCase()) ?? []).map((value) => value.toString('utf8'));
}

/** A name of a directory as it is kept; it may be empty. */
export function directoryName(text: string): string {
  return readableName(text, MAX_NAME_CHARACTERS);
}

function readEmail(text: string): string[] {
  if (text.length > MAX_EMAIL_CHARACTERS) return [];
  try {
    const email = normalizeEmail(text);
    return EMAIL.test(email) ? [email] : [];
  } catch {
    return [];
  }
}

function readUuid(value: Buffer): string | undefined {
  const text = value.toString('latin1').toLowerCase();
  return UUID.test(text) ? text : undefined;
}

/** 16 bytes, the first three parts with their lowest byte first, as Microsoft writes them. */
function readGuid(value: Buffer): string | undefined {
  if (value.length !== 16) return undefined;
  const swapped = Buffer.from(value);
  swapped.subarray(0, 4).reverse();
  swapped.subarray(4, 6).reverse();
  swapped.subarray(6, 8).reverse();
  return swapped.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
