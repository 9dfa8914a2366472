import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { dictionary } from '@zxcvbn-ts/language-common';
import { passwordProblem } from '../../../src/identity/passwords/password-policy.js';

const EMAIL = 'jane.doe@example.test';

describe('the password policy', () => {
  it.each([
    'correct horse and a stapler',
    'Tr0ub4dor&3-and-more',
    'XxFxdDG4tEMb4t-pe8cppbj6',
    'дванадцять слів',
    '😀😃😄😁😆😅🤣😂🙂🙃😉😊',
    'x'.repeat(60) + 'abcdefg 12345',
  ])('accepts %s', (password) => {
    expect(passwordProblem(password, EMAIL)).toBeUndefined();
  });

  it.each([
    ['elevenchars', 'at least 12'],
    ['😀😃😄😁😆', 'at least 12'],
    ['ab1-'.repeat(65), 'at most 256'],
  ])('bounds the length of %s', (password, problem) => {
    expect(passwordProblem(password, EMAIL)).toContain(problem);
  });

  it('counts characters, not code units', () => {
    expect(passwordProblem('😀😃😄😁😆😅🤣😂🙂🙃😉', EMAIL)).toContain('at least 12');
  });

  it.each(['jane.doe@example.test', 'my-JANE.DOE-password', 'xx JANE.DOE@EXAMPLE.TEST xx'])(
    'refuses %s for its email address',
    (password) => {
      expect(passwordProblem(password, EMAIL)).toContain('email');
    },
  );

  it('lets a short local part be part of a password', () => {
    expect(passwordProblem('a long and winding road', 'an@example.test')).toBeUndefined();
  });

  it.each([
    'password1234',
    'P@ssw0rd1234!',
    '123password!!',
    'passwordpassword',
    'passwordpassword1',
    'qwerty123456',
    '123456789012',
    '210987654321',
    'abcdefghijkl',
    '1qaz2wsx3edc',
    'qwertyuiopas',
    'aaaaaaaaaaaa',
    'abcabcabcabc',
    '123456123456',
    'Administrator1',
    'iloveyou2024!',
    'letmein12345',
    'StrongPassword99',
    'mailcreated5240',
    'Chickenwing101',
    '2019-sonyericsson',
    '4711-K1ll3r-!!!',
    'wolverine-2024',
    'qwert-987654321',
  ])('refuses the common %s', (password) => {
    expect(passwordProblem(password, EMAIL)).toBe('is too easy to guess');
  });

  it('refuses every password of the list that is long enough, in whatever case', () => {
    const listed = dictionary['passwords-common'].filter((password) => password.length >= 12);

    expect(listed.length).toBeGreaterThan(300);
    expect(listed.filter((password) => passwordProblem(password.toUpperCase(), EMAIL) === undefined)).toEqual([]);
  });

  it('refuses every password of the list with a year behind it', () => {
    const listed = dictionary['passwords-common'].filter((password) => /^[a-z]{8,}$/.test(password));

    expect(listed.length).toBeGreaterThan(5_000);
    expect(listed.filter((password) => passwordProblem(`${password}2026`, EMAIL) === undefined)).toEqual([]);
  });

  it('accepts what chance has made', () => {
    const made = Array.from({ length: 2_000 }, () => randomBytes(12).toString('base64url'));

    expect(made.filter((password) => passwordProblem(password, EMAIL) !== undefined)).toEqual([]);
  });
});
