import { describe, expect, it } from '@jest/globals';
import { normalizeDn } from '../../../src/identity/directories/ldap/distinguished-name.js';

describe('distinguished names', () => {
  it.each([
    ['CN=Admins, OU=Groups ,dc=Example', 'cn=admins,ou=groups,DC=example'],
    ['cn=a\\,b,dc=x', 'cn=a\\2Cb,dc=x'],
    ['cn="a,b",dc=x', 'cn=a\\,b,dc=x'],
    ['cn=J\\C3\\BCrgen,dc=x', 'cn=Jürgen,dc=x'],
    ['cn=two  words,dc=x', 'cn=Two Words,dc=x'],
    ['cn=a+uid=b,dc=x', 'uid=b+CN=a,dc=x'],
  ])('are the same, as %s and %s', (one, other) => {
    expect(normalizeDn(one)).toBe(normalizeDn(other));
  });

  it.each([
    ['cn=a\\,ou=b,dc=x', 'cn=a,ou=b,dc=x'],
    ['cn=a,dc=x', 'ou=a,dc=x'],
    ['cn=a,dc=x', 'cn=a,dc=x,dc=y'],
    ['cn=a\\+uid=b', 'cn=a+uid=b'],
    ['cn=a"\\,"', 'cn=a,'],
  ])('are not the same, as %s and %s', (one, other) => {
    expect(normalizeDn(one)).not.toBe(normalizeDn(other));
  });
});
