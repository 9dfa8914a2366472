import { Query, Resolver } from 'type-graphql';
import { Access } from '../../access/access-rule.js';
import type { ResearcherHealthService } from './researcher-health.service.js';
import { ResearcherHealth, ResearcherHealthDetails } from './researcher-health.types.js';

const rule = { credential: 'bearer', scope: 'researcher:read' } as const;

/** How the researcher does. */
@Resolver()
export class ResearcherHealthResolver {
  constructor(private readonly service: ResearcherHealthService) {}

  @Access(rule)
  @Query(() => ResearcherHealth, { description: 'How the researcher does.' })
  researcherHealth(): Promise<ResearcherHealth> {
    return this.service.check();
  }

  @Access(rule)
  @Query(() => ResearcherHealthDetails, { description: 'How each part of the researcher does.' })
  researcherHealthDetails(): Promise<ResearcherHealthDetails> {
    return this.service.details();
  }
}
