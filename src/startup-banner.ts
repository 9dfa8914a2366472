import { rmSync } from 'node:fs';
import type { Config } from './config.js';
import type { DomainPorts } from './domains.js';
import { findFirstPassword } from './platform/database/data-folder.js';

type BootstrapAdmin = NonNullable<DomainPorts['bootstrapAdmin']>;

/** Where the banner is written. */
interface BannerOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/**
 * Tells whoever started the server how to use it. A generated password of the first administrator is shown on a
 * terminal, and its file deleted then. Elsewhere the output may become a log that others read and that is kept: the file
 * stays, and only a development server shows the password as well. Later starts name the file for as long as it is there:
 * the first one may have failed before it could tell anything.
 */
export function printStartupBanner(
  config: Config,
  address: string,
  admin: BootstrapAdmin | undefined,
  output: BannerOutput = process.stdout,
): void {
  const isDevelopment = config.nodeEnv !== 'production';
  const { password, passwordFile } = admin?.generated ?? {};
  const shown = output.isTTY === true || isDevelopment ? password : undefined;
  const file = output.isTTY === true ? undefined : passwordFile;
  const lines = [`Private AI Platform is serving at ${address}`];
  const left = admin ? undefined : findFirstPassword(config.dataDir);
  if (admin) lines.push('', ...describeAdmin(admin, shown, file));
  if (left)
    lines.push('', `The password that the first administrator was given is in ${left}: sign in, then delete the file.`);
  if (isDevelopment) lines.push('', ...tryIt(address, admin?.email, shown), '', ...pointAtModels(config));
  if (config.allowPlaintext) lines.push('', 'Warning: ALLOW_PLAINTEXT is on; tokens may travel unencrypted.');
  output.write(`${lines.join('\n')}\n\n`);
  if (passwordFile !== undefined && file === undefined) rmSync(passwordFile, { force: true });
}

function describeAdmin({ email, generated }: BootstrapAdmin, password?: string, file?: string): string[] {
  if (!generated) return [`The first administrator is ${email}, with the password from BOOTSTRAP_ADMIN_PASSWORD.`];
  const lines: string[] = [];
  if (password) lines.push('The first administrator (shown once):', `  email     ${email}`, `  password  ${password}`);
  if (file) lines.push(`The password of ${email} is in ${file}: sign in, then delete the file.`);
  return lines;
}

function tryIt(address: string, email = 'you@example.com', password = 'your password'): string[] {
  return [
    'Try it:',
    `  TOKEN=$(curl -s ${address}/v1/auth/login -H 'content-type: application/json' \\`,
    `    -d '{"email":"${email}","password":"${password}"}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `  curl -s ${address}/v1/models -H "authorization: Bearer $TOKEN"`,
    `  curl -sN ${address}/v1/chat/completions -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' \\`,
    `    -d '{"model":"builtin-extractive","stream":true,"messages":[{"role":"system","content":"The office opens at nine. Lunch is at noon."},{"role":"user","content":"When is lunch?"}]}'`,
  ];
}

function pointAtModels(config: Config): string[] {
  if (config.openaiBaseUrl || config.backendsFile) return [];
  return [
    'To use your own models, start with OPENAI_BASE_URL set to any OpenAI-compatible server, such as',
    '  OPENAI_BASE_URL=http://127.0.0.1:11434/v1 npm start    (Ollama; llama.cpp and vLLM: see README.md)',
  ];
}
