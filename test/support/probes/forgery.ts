import { createPrivateKey, sign } from 'node:crypto';
import { SigningKey } from '../../../src/identity/tokens/signing-key.entity.js';
import { embeddedSecretKey } from '../../../src/platform/database/data-folder.js';
import { SecretBox } from '../../../src/platform/crypto/secret-box.js';
import type { Platform } from '../servers/platform.js';

/** A token's header and claims, without a look at its signature. */
export function readToken(token: string): { header: Record<string, unknown>; claims: Record<string, unknown> } {
  const [header, claims] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
  return { header: JSON.parse(header ?? ''), claims: JSON.parse(claims ?? '') };
}

/** The part of a token that is signed. */
export function unsigned(header: object, claims: object): string {
  return [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
}

/** A copy of a token with other claims, signed with the server's own key. */
export async function signClaims(platform: Platform, token: string, changes: Record<string, unknown>): Promise<string> {
  const { header, claims } = readToken(token);
  const input = unsigned(header, { ...claims, ...changes });
  const keys = platform.app.database.dataSource.getRepository(SigningKey);
  const row = await keys.findOneByOrFail({ kid: header.kid as string });
  const secretBox = new SecretBox(platform.config.secretKey ?? (await embeddedSecretKey(platform.config.dataDir)));
  const key = secretBox.unseal('signing-key', row.privateSealed, row.kid);
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}
