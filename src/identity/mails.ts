import type { Mail } from '../platform/mail/mailer.js';

/** Writes the mails of accounts, each as plain text and as HTML. Their links lead to the address that clients use. */
export class AccountMails {
  /** @param baseUrl the address that clients use, without a slash at its end */
  constructor(private readonly baseUrl: string) {}

  /** The code that confirms an address. */
  confirmation(to: string, code: string): Mail {
    return toMail(to, 'Your confirmation code', [
      'Somebody has registered with this address. If it was you, enter this code within 15 minutes:',
      { line: code },
      'If it was not you, you need not do anything: without the code the registration is forgotten within a day.',
    ]);
  }

  /** The link that lets somebody choose another password. */
  passwordReset(to: string, token: string): Mail {
    return toMail(to, 'Choose a new password', [
      'Somebody has asked for a new password for your account. If it was you, choose one within 30 minutes:',
      { link: this.linkOf(token) },
      'Where you are asked for the token instead, it is:',
      { line: token },
      'If it was not you, you need not do anything: your password stays as it is.',
    ]);
  }

  /** The link that lets somebody choose the password of an account whose registration was not theirs alone. */
  contestedRegistration(to: string, token: string): Mail {
    return toMail(to, 'Choose your password', [
      'Your address is confirmed. It was registered from several places, so nobody knows which password is yours: none of them works. Choose one within 30 minutes:',
      { link: this.linkOf(token) },
      'Where you are asked for the token instead, it is:',
      { line: token },
    ]);
  }

  /** The link that lets somebody choose the first password of an account that was made for them. */
  invitation(to: string, token: string): Mail {
    return toMail(to, 'Your account', [
      'An administrator has made an account for you. Choose a password for it within 7 days:',
      { link: this.linkOf(token) },
      'Where you are asked for the token instead, it is:',
      { line: token },
    ]);
  }

  /** What is behind # stays in the browser: no server, and no log of one, sees the token. */
  private linkOf(token: string): string {
    return `${this.baseUrl}/dashboard#/password-reset?token=${token}`;
  }
}

/** A paragraph, or what stands alone on a line. */
type Part = string | { readonly line: string } | { readonly link: string };

/** Nothing in a part comes from a user, so nothing has to be escaped. */
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
  return 'line' in part
    ? `<p style="font-family:monospace;font-size:1.2em">${part.line}</p>`
    : `<p><a href="${part.link}">${part.link}</a></p>`;
}
