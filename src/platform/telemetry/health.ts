/** How a part of the server does: `ok`, `degraded` (it works, not fully), `down`, `off` (not in use). */
export type CheckState = 'ok' | 'degraded' | 'down' | 'off';

/** Looks how one part does. What fails, or takes longer than a second, is `down`. */
export type HealthCheck = () => CheckState | Promise<CheckState>;
