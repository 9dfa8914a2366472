import type { DataSource } from 'typeorm';
import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../../context.js';
import { requestLoader } from '../../graph/request-loader.js';
import { DocumentSession } from '../sessions/document-session.entity.js';
import { CalibrationBin, calibrationOf } from './calibration.js';

/** What the review of sessions says of their confidences. */
@Resolver(() => DocumentSession)
export class CalibrationResolver {
  private readonly loader = requestLoader<DocumentSession, CalibrationBin[]>(
    (_context, sessions) =>
      calibrationOf(
        this.dataSource,
        sessions.map(({ id }) => id),
      ),
    ({ id }) => id,
  );

  constructor(private readonly dataSource: DataSource) {}

  @FieldResolver(() => [CalibrationBin], {
    description: 'How often resolved values were right, by their confidence; none where none are resolved.',
  })
  async calibration(@Root() session: DocumentSession, @Ctx() context: RequestContext): Promise<CalibrationBin[]> {
    return (await this.loader(context).load(session)) ?? [];
  }
}
