import type { Config } from './config.js';

/** Tells whoever started the server how to use it. Not part of the log: it may hold the first password, once. */
export function printStartupBanner(
  config: Config,
  address: string,
  admin: { readonly email: string; readonly password?: string } | undefined,
): void {
  const lines = [`Private AI Platform is serving at ${address}`];
  if (admin?.password) {
    lines.push('', 'The first administrator (shown once):');
    lines.push(`  email     ${admin.email}`, `  password  ${admin.password}`);
  } else if (admin) {
    lines.push('', `The first administrator is ${admin.email}, with the password from BOOTSTRAP_ADMIN_PASSWORD.`);
  }
  if (config.nodeEnv !== 'production') lines.push('', ...tryIt(address, admin), '', ...pointAtModels(config));
  if (config.allowPlaintext) lines.push('', 'Warning: ALLOW_PLAINTEXT is on; tokens may travel unencrypted.');
  process.stdout.write(`${lines.join('\n')}\n\n`);
}

function tryIt(address: string, admin: { readonly email: string; readonly password?: string } | undefined): string[] {
  const email = admin?.email ?? 'you@example.com';
  const password = admin?.password ?? 'your password';
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
