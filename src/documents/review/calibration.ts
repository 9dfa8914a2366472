import type { DataSource } from 'typeorm';
import { Field, Float, Int, ObjectType } from 'type-graphql';

/** What people have said of the values of a session that were about equally sure. */
@ObjectType({ simpleResolvers: true, description: 'How often values that were about equally sure were right.' })
export class CalibrationBin {
  @Field(() => Float, { description: 'The least confidence of these values: 0, 0.1 … 0.9.' })
  from!: number;

  @Field(() => Float, { description: 'The confidence that they are below; those of 1 are with the last ones.' })
  to!: number;

  @Field(() => Int, { description: 'Values that people have resolved.' })
  resolved!: number;

  @Field(() => Int, { description: 'Those of them that are what was proposed.' })
  correct!: number;

  @Field(() => Float, {
    description: 'Their confidence on the average: where it is the share that is correct, it tells the truth.',
  })
  meanConfidence!: number;
}

const BINS = 10;
const CALIBRATION = `
  SELECT session_id AS "sessionId", least(floor(confidence * ${BINS}), ${BINS - 1})::integer AS bin,
    count(*)::integer AS resolved, (count(*) FILTER (WHERE value = proposed_value))::integer AS correct,
    avg(confidence)::float8 AS "meanConfidence"
  FROM document_values
  WHERE session_id = ANY($1) AND resolved_at IS NOT NULL AND coalesce(proposed_value, 'null') <> 'null'
  GROUP BY session_id, bin ORDER BY session_id, bin`;

interface CalibrationRow extends Pick<CalibrationBin, 'resolved' | 'correct' | 'meanConfidence'> {
  readonly sessionId: string;
  readonly bin: number;
}

/** How sure the values of sessions were against how often they were right, by session. Values that were not found are left out. */
export async function calibrationOf(
  dataSource: DataSource,
  sessionIds: readonly string[],
): Promise<ReadonlyMap<string, CalibrationBin[]>> {
  const rows = await dataSource.query<CalibrationRow[]>(CALIBRATION, [sessionIds]);
  const bySession = new Map<string, CalibrationBin[]>(sessionIds.map((id) => [id, []]));
  for (const { sessionId, bin, ...counts } of rows) {
    bySession.get(sessionId)?.push({ from: bin / BINS, to: (bin + 1) / BINS, ...counts });
  }
  return bySession;
}
