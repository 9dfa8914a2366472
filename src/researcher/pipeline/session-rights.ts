import type { JobOwner } from '../../platform/jobs/job.types.js';
import { Forbidden } from '../../errors.js';
import type { IdentityPorts } from '../../identity/domain.js';
import type { KnowledgePorts } from '../../knowledge/domain.js';
import type { ResearchSession } from '../sessions/research-session.entity.js';

const GONE = 'Whoever began this session may not use the researcher any more, or its token was deleted.';
const NO_KNOWLEDGE = 'Whoever began this session may not read its knowledge bases any more.';

interface SessionRightsParts extends Pick<IdentityPorts, 'apiTokenAllows'>, Pick<KnowledgePorts, 'canReadBases'> {
  /** Whether a user may sign in. */
  readonly permits: (owner: JobOwner) => Promise<boolean>;
}

/** Whether sessions may go on. Rights may be lost at any time: they are asked for anew each time. */
export class SessionRights {
  constructor(private readonly parts: SessionRightsParts) {}

  /**
   * Asks for all that a session needs: its user may sign in, its token works, and both may read its knowledge bases.
   * @throws Forbidden
   */
  async require(session: ResearchSession): Promise<void> {
    const { apiTokenId, ownerId: userId, tenantId } = session;
    const { permits, apiTokenAllows } = this.parts;
    const isPermitted =
      (await permits({ userId, tenantId })) &&
      (apiTokenId === null || (await apiTokenAllows(apiTokenId, 'researcher:write')));
    if (!isPermitted) throw new Forbidden(GONE);
    await this.requireKnowledge(session);
  }

  /**
   * Asks whether the knowledge bases of a session may still be read; one without any needs no right.
   * @throws Forbidden
   */
  async requireKnowledge({ apiTokenId, knowledgebaseIds, ownerId: userId, tenantId }: ResearchSession): Promise<void> {
    if (knowledgebaseIds.length === 0) return;
    const { apiTokenAllows, canReadBases } = this.parts;
    const mayRead =
      (apiTokenId === null || (await apiTokenAllows(apiTokenId, 'knowledge:read'))) &&
      (await canReadBases({ userId, tenantId }, knowledgebaseIds));
    if (!mayRead) throw new Forbidden(NO_KNOWLEDGE);
  }
}
