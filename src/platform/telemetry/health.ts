/** How a part of the server does: `ok`, `degraded` (it works, not fully), `down`, `off` (not in use). */
export type CheckState = 'ok' | 'degraded' | 'down' | 'off';

/**
 * Looks how one part does; `HealthProbe` judges the answer, and its silence.
 * @param signal aborted when the probe has taken too long: what is waited for then should end
 * @throws where the part does not work
 */
export type HealthCheck = (signal: AbortSignal) => CheckState | Promise<CheckState>;
