import pLimit from 'p-limit';
import type { DataSource } from 'typeorm';
import { actorOf } from '../../access/audit-actor.js';
import type { Caller } from '../../access/caller.js';
import { BadRequest, Conflict, RateLimited } from '../../errors.js';
import type { TenantDirectory } from '../../identity/domain.js';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import type { RateCounter } from '../../platform/cluster/rate-counter.js';
import type { SecretBox } from '../../platform/crypto/secret-box.js';
import type { CheckpointReader, SignedEnd } from '../chain/checkpoint-reader.js';
import type { Checkpoints } from '../chain/checkpoints.js';
import { lockChains } from '../chain/chain-lock.js';
import type { AuditSealer } from '../chain/sealer.js';
import { AuditEntryRow, PLATFORM_CHAIN, tenantOfChain } from '../entries/audit-entry.entity.js';
import { chainToRead } from '../entries/audit-scope.js';
import type { AuditCheckpointFile, AuditVerification } from './audit-verification.types.js';
import { verifyAuditLog } from './verify-audit-log.js';

interface AuditVerificationParts {
  readonly dataSource: DataSource;
  readonly secretBox: Pick<SecretBox, 'mac'>;
  readonly audit: AuditRecorder;
  readonly sealer: AuditSealer;
  readonly signed: CheckpointReader;
  readonly checkpoints: Checkpoints;
  /** Counts the checkpoints that each user asks for: every one is kept for good. */
  readonly signatures: Pick<RateCounter, 'take'>;
  readonly tenants: Pick<TenantDirectory, 'exists'>;
}

/** What is to be verified. */
interface WantedVerification {
  /** Whose chain, or `platform`; left out: all that the caller may read. */
  readonly tenantId?: string | null;
  /** One that was kept: its chain is verified from there on, and must have been like that. */
  readonly checkpoint?: string | null;
}

/** Stands for all chains together. */
const ALL = '*';

/** Verifications that a process does at a time; others wait, the one that came first before the others. */
const MAX_RUNNING = 2;

/** Lets administrators prove that nothing was changed in the chains that they may read. */
export class AuditVerificationService {
  /** The chains that are being verified, or wait for that. */
  private readonly running = new Set<string>();
  /** Each keeps a processor busy. */
  private readonly inTurn = pLimit(MAX_RUNNING);

  constructor(private readonly parts: AuditVerificationParts) {}

  /**
   * Verifies the chains that the caller may read, or one of them.
   * @param signal ends it; then nothing of it is recorded
   * @throws BadRequest for a checkpoint that this installation has not signed, or of another chain; Forbidden, NotFound
   * for others' chains; Conflict where this process is verifying them already; the reason of the
   * signal
   */
  async verify(caller: Caller, wanted: WantedVerification, signal?: AbortSignal): Promise<AuditVerification> {
    const { dataSource, secretBox, signed, audit, tenants } = this.parts;
    const from = wanted.checkpoint == null ? undefined : this.readCheckpoint(wanted.checkpoint);
    const chain = await chainToRead(tenants, caller, wanted.tenantId ?? from?.chain);
    if (from && from.chain !== chain)
      throw new BadRequest('checkpoint is of another chain than tenant_id.', 'checkpoint');
    const parts = { dataSource, secretBox, checkpoints: signed };
    const { entries, unsealed, problems } = await this.limited(chain ?? ALL, () => {
      signal?.throwIfAborted();
      return verifyAuditLog(parts, { chain, from, signal });
    });
    const valid = problems.length === 0;
    await audit.recordAlone(actorOf(caller), {
      tenantId: tenantOfChain(chain),
      action: 'audit_log.verify',
      outcome: valid ? 'success' : 'failure',
    });
    return {
      valid,
      entries,
      unsealed,
      problems: problems.map(({ chain: name, id: entryId, sequence, problem }) => ({
        entryId,
        tenantId: tenantOfChain(name),
        sequence,
        problem,
      })),
    };
  }

  /**
   * Seals what there is, and signs where a chain ends.
   * @param tenantId whose; `platform`, or left out by a sysadmin: the platform's
   * @throws Forbidden, NotFound for others' chains; RateLimited beyond 10 a minute; Conflict where nothing of the chain is
   * sealed yet, or its end was changed by somebody else
   */
  async sign(caller: Caller, tenantId?: string | null): Promise<AuditCheckpointFile> {
    const { audit, sealer, dataSource, checkpoints } = this.parts;
    const chain = (await chainToRead(this.parts.tenants, caller, tenantId)) ?? PLATFORM_CHAIN;
    const counted = await this.parts.signatures.take(caller.userId);
    if (counted.isRefused) throw new RateLimited('Too many checkpoints were asked for. Please wait a moment.', counted);
    await audit.recordAlone(actorOf(caller), { tenantId: tenantOfChain(chain), action: 'audit_log.checkpoint' });
    await sealer.sealInTurn();
    const [signed] = await dataSource.transaction(async (tx) => {
      await lockChains(tx);
      return checkpoints.signEnds(tx, [chain]);
    });
    if (!signed) throw await this.whyNotSigned(chain);
    const { end, checkpoint, key } = signed;
    return {
      object: 'audit.checkpoint',
      tenantId: tenantOfChain(chain),
      sequence: end.sequence,
      hash: end.hash,
      kid: checkpoint.kid,
      token: checkpoint.token,
      publicKey: JSON.stringify(key),
      createdAt: checkpoint.createdAt,
    };
  }

  private async whyNotSigned(chain: string): Promise<Conflict> {
    const isThere = await this.parts.dataSource.getRepository(AuditEntryRow).existsBy({ chain });
    return isThere
      ? new Conflict('conflict', 'Where this chain ends was changed: nothing of it is signed. Please verify it.')
      : new Conflict('conflict', 'Nothing of this chain is sealed yet. Please try again.');
  }

  private async limited<T>(chain: string, verify: () => Promise<T>): Promise<T> {
    if (this.running.has(chain)) throw new Conflict('conflict', 'This is being verified already. Please wait for it.');
    this.running.add(chain);
    try {
      return await this.inTurn(verify);
    } finally {
      this.running.delete(chain);
    }
  }

  private readCheckpoint(token: string): SignedEnd {
    const claims = this.parts.signed.read(token);
    if (claims) return claims;
    throw new BadRequest('checkpoint is none that this installation has signed.', 'checkpoint');
  }
}
