import { escapeUTF8 } from 'entities';
import type { HttpConfig } from '../http/config.js';
import type { Mail } from '../platform/mail/mailer.js';
import { ACCOUNT_PATH } from './account-page.js';
import type { IdentityConfig } from './config.js';

/** Writes the mails of accounts, each as plain text and as HTML. Their links lead to the page of accounts. */
export class AccountMails {
  private readonly pageUrl: string;

  constructor({ passwordPageUrl, publicUrl, host, port }: IdentityConfig & HttpConfig) {
    this.pageUrl = passwordPageUrl ?? (publicUrl ?? `http://${host}:${port}`) + ACCOUNT_PATH;
  }

  /** The code that confirms an address. */
  confirmation(to: string, code: string): Mail {
    return toMail(to, 'Your confirmation code', [
      'Somebody has registered with this address. If it was you, enter this code within 15 minutes:',
      { line: code },
      'You can enter it here:',
      // Without the code: whoever opens the link of a registration that is not theirs must not confirm it.
      { link: `${this.pageUrl}#/confirm?email=${encodeURIComponent(to)}` },
      'If it was not you, you need not do anything: without the code the registration is forgotten within a day.',
    ]);
  }

  /** The link that lets somebody choose another password. */
  passwordReset(to: string, token: string): Mail {
    return toMail(to, 'Choose a new password', [
      'Somebody has asked for a new password for your account. If it was you, choose one within 30 minutes:',
      { link: this.passwordLink(token) },
      'Where you are asked for the token instead, it is:',
      { line: token },
      'If it was not you, you need not do anything: your password stays as it is.',
    ]);
  }

  /** The link that lets somebody choose the password of an account whose registration was not theirs alone. */
  contestedRegistration(to: string, token: string): Mail {
    return toMail(to, 'Choose your password', [
      'Your address is confirmed. It was registered from several places, so nobody knows which password is yours: none of them works. Choose one within 30 minutes:',
      { link: this.passwordLink(token) },
      'Where you are asked for the token instead, it is:',
      { line: token },
    ]);
  }

  /** The link that lets somebody choose the first password of an account that was made for them. */
  invitation(to: string, token: string): Mail {
    return toMail(to, 'Your account', [
      'An administrator has made an account for you. Choose a password for it within 7 days:',
      { link: this.passwordLink(token) },
      'Where you are asked for the token instead, it is:',
      { line: token },
    ]);
  }

  /** What is behind # stays in the browser: no server, and no log of one, sees the token. */
  private passwordLink(token: string): string {
    return `${this.pageUrl}#/password-reset?token=${token}`;
  }
}

/** A paragraph, or what stands alone on a line. */
type Part = string | { readonly line: string } | { readonly link: string };

function toMail(to: string, subject: string, parts: readonly Part[]): Mail {
  const text = parts.map(toText).join('\n\n');
  const html = parts.map(toHtml).join('\n');
  return {
    to,
    subject,
    text: `${text}\n`,
    html: `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${subject}</title></head><body>\n${html}\n</body></html>\n`,
  };
}

function toText(part: Part): string {
  if (typeof part === 'string') return part;
  return 'line' in part ? part.line : part.link;
}

function toHtml(part: Part): string {
  if (typeof part === 'string') return `<p>${part}</p>`;
  if ('line' in part) return `<p style="font-family:monospace;font-size:1.2em">${part.line}</p>`;
  const link = escapeUTF8(part.link);
  return `<p><a href="${link}">${link}</a></p>`;
}
