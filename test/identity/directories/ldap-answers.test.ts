import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readPerson } from '../../../src/identity/directories/directory-person.js';
import { DirectoryFailure } from '../../../src/identity/directories/ldap/directory-failure.js';
import { readAnswer } from '../../../src/identity/directories/ldap/ldap-answer.js';
import { MessageSplitter } from '../../../src/identity/directories/ldap/message-splitter.js';
import { fillFilter } from '../../../src/identity/directories/ldap/ldap-filter.js';
import { checkProviderSettings } from '../../../src/identity/providers/provider-settings.js';
import type { LdapSettings } from '../../../src/identity/providers/provider-settings.js';
import { ldapEntry, ldapMessage, ldapResult } from '../../support/servers/scripted-directory.js';

const MESSAGES = [
  ldapMessage(2, ldapEntry('uid=a', { mail: 'a@b.test', cn: 'A' })),
  ldapMessage(2, ldapResult(0x65, 4)),
];

describe('the answers of a directory', () => {
  it('are the same however they are cut', () => {
    const bytes = Buffer.concat(MESSAGES);
    const cut = fc.array(fc.integer({ min: 1, max: bytes.length }), { maxLength: 20 });

    fc.assert(
      fc.property(cut, (places) => {
        const splitter = new MessageSplitter();
        const ends = [...new Set([...places, bytes.length])].sort((one, other) => one - other);
        const pieces = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));

        const found = pieces.flatMap((piece) => splitter.split(piece, 1_000));

        expect(found.map((content) => readAnswer(content, 1_000).kind)).toEqual(['entry', 'done']);
        expect(splitter.isEmpty).toBe(true);
      }),
    );
  });

  it('are read, or refused, whatever bytes they are', () => {
    const changed = fc.tuple(fc.nat(MESSAGES[0]?.length), fc.uint8Array({ minLength: 1, maxLength: 4 }));

    fc.assert(
      fc.property(fc.array(changed, { maxLength: 5 }), fc.nat(1), (changes, which) => {
        const bytes = Buffer.from(MESSAGES[which] as Buffer);
        for (const [at, values] of changes) Buffer.from(values).copy(bytes, at);

        const read = (): unknown => new MessageSplitter().split(bytes, 1_000).map(readAnswer);

        expect(outcomeOf(read)).toBe('fine');
      }),
      { numRuns: 5_000 },
    );
  });

  it('have ids as Active Directory writes them', () => {
    const id = Buffer.from('33221100554477668899aabbccddeeff', 'hex');
    const attributes = new Map([
      ['objectguid', [id]],
      ['mail', [Buffer.from('A.B@Example.Test')]],
    ]);

    const person = readPerson({ dn: 'cn=a', attributes }, settingsOf({ id_attribute: 'objectGUID' }));

    expect(person).toMatchObject({
      externalId: '00112233-4455-6677-8899-aabbccddeeff',
      emails: ['a.b@example.test'],
      name: 'a.b',
    });
  });

  it('tell of addresses in the domains of the provider alone', () => {
    const mail = ['x@elsewhere.test', 'nobody', 'one@example.test', 'Two@example.test', 'x@sub.example.test'];
    const attributes = new Map([['mail', mail.map((text) => Buffer.from(text))]]);

    const { emails, externalId } = readPerson({ dn: 'cn=a', attributes }, settingsOf({}));

    expect({ emails, externalId }).toEqual({ emails: ['one@example.test', 'two@example.test'], externalId: undefined });
  });

  it('are asked for by filters in which what people write stands for itself', () => {
    const filter = fillFilter('(|(mail={email})(uid={email}))', 'email', 'a*(b)\\c\0$&é');

    expect(filter).toBe('(|(mail=a\\2a\\28b\\29\\5cc\\00$&é)(uid=a\\2a\\28b\\29\\5cc\\00$&é))');
  });
});

function outcomeOf(read: () => unknown): unknown {
  try {
    read();
    return 'fine';
  } catch (error) {
    return error instanceof DirectoryFailure ? 'fine' : error;
  }
}

function settingsOf(settings: Partial<LdapSettings>): LdapSettings {
  const required = { kind: 'ldap', name: 'Test', url: 'ldaps://localhost', base_dn: 'dc=x', domains: ['example.test'] };
  return checkProviderSettings({ ...required, ...settings }) as LdapSettings;
}
