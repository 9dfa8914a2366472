import { PROMISED_MS } from './trial.js';
import type { KindOutcome, TrialResult } from './trial.js';

/** As Markdown. */
export function reportOf({ kinds, rotation, requestsPerSecond, longestDelayMs, others }: TrialResult): string {
  const rows = [...kinds, rotation].map((kind) => [
    kind.name,
    kind.times,
    ...[kind.lastSuccessMs, kind.streamEndMs].map(inMilliseconds),
    kind.failedBefore.length,
  ]);
  return [
    '| what ended the token | times | last success, slowest, ms | end of a stream, slowest, ms | failed before it |',
    '| --- | --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
    '',
    `${requestsPerSecond.toFixed(0)} requests/s over two replicas; ${others.sent} by tokens that nobody revoked, of which ${others.failed} failed. The load itself was held up for ${longestDelayMs.toFixed(0)} ms at most. Times count from the answer of the request that revoked the token, or from the end of the overlap of a rotation: negative is before it. ${rotation.succeeded} requests succeeded with the two secrets during overlaps.`,
    '',
  ].join('\n');
}

/** What does not hold, a sentence each. */
export function problemsOf({ kinds, rotation, requestsPerSecond, others }: TrialResult, perSecond: number): string[] {
  return [
    ...[...kinds, rotation].flatMap(problemsOfKind),
    ...(others.failed > 0 ? [`${others.failed} requests of tokens that nobody revoked have failed`] : []),
    ...(requestsPerSecond < perSecond ? [`there were ${requestsPerSecond.toFixed(0)} requests/s only`] : []),
  ];
}

function problemsOfKind({ name, times, lastSuccessMs, streamEndMs, failedBefore }: KindOutcome): string[] {
  return [
    ...(times > 0 && lastSuccessMs === Number.NEGATIVE_INFINITY ? [`${name}: nothing ever succeeded`] : []),
    ...(lastSuccessMs >= PROMISED_MS ? [`${name}: a request succeeded ${inMilliseconds(lastSuccessMs)} ms later`] : []),
    ...((streamEndMs ?? 0) > PROMISED_MS ? [`${name}: a stream ended ${inMilliseconds(streamEndMs)} ms later`] : []),
    ...(failedBefore.length > 0 ? [`${name}: requests failed before the token ended: ${failedBefore.join(' ')}`] : []),
  ];
}

function inMilliseconds(value: number | undefined): string {
  return value === undefined || !Number.isFinite(value) ? '–' : value.toFixed(0);
}
