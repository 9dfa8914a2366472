import type { SecretBox } from '../../platform/crypto/secret-box.js';
import type { AuditChain } from './audit-chain.entity.js';

/** Where a chain ends: the last of its entries. */
export interface ChainEnd {
  readonly chain: string;
  /** 0: it has no entries. */
  readonly sequence: number;
  /** Null: it has no entries. */
  readonly hash: Buffer | null;
}

/** What shows that this installation has moved the end of a chain there. */
export function macOf(secretBox: Pick<SecretBox, 'mac'>, { chain, sequence, hash }: ChainEnd): Buffer {
  return secretBox.mac('audit-chain', chain, String(sequence), hash?.toString('hex') ?? '');
}

/** The end of a chain as its row has it. */
export function toChainEnd({ chain, sequence, hash }: Pick<AuditChain, 'chain' | 'sequence' | 'hash'>): ChainEnd {
  return { chain, sequence: Number(sequence), hash };
}
