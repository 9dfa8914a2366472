import type { CheckState } from '../../platform/telemetry/health.js';
import type { Gauge } from '../../platform/telemetry/metrics.js';
import type { Backend } from './backend.js';
import type { BackendRegistry } from './backend-registry.js';

/** Of tenants' own backends so many are shown. */
const TENANT_BACKENDS = 200;

/** How the backends do that serve everybody; `off` where there is none. Those of tenants say nothing of the server. */
export function checkBackends({ all }: Pick<BackendRegistry, 'all'>): CheckState {
  return stateOf(all.filter(({ tenantId }) => tenantId === null));
}

/** How those of them do that transcribe or speak. */
export function checkSpeech({ all }: Pick<BackendRegistry, 'all'>): CheckState {
  const isSpeech = (capability: string): boolean => capability === 'transcribe' || capability === 'speech';
  const speaks = ({ models, supports }: Backend): boolean =>
    supports.some(isSpeech) || models.some(({ capabilities }) => capabilities.some(isSpeech));
  return stateOf(all.filter((backend) => backend.tenantId === null && speaks(backend)));
}

/** How those of them do that translate: translation engines, and chat models but the builtin one. */
export function checkTranslation({ all }: Pick<BackendRegistry, 'all'>): CheckState {
  const translates = ({ kind, models }: Backend): boolean =>
    models.some(
      ({ translation, capabilities }) => translation || (kind !== 'builtin' && capabilities.includes('chat')),
    );
  return stateOf(all.filter((backend) => backend.tenantId === null && translates(backend)));
}

function stateOf(backends: readonly Backend[]): CheckState {
  if (backends.length === 0) return 'off';
  if (backends.every((backend) => backend.healthy)) return 'ok';
  return backends.some(({ healthy, isLate }) => healthy || isLate) ? 'degraded' : 'down';
}

/** What the metrics tell of each backend. */
export function backendGauges(registry: BackendRegistry): readonly Gauge[] {
  const gauge = (name: string, help: string, valueOf: (backend: Backend) => number): Gauge => ({
    name,
    help,
    labels: ['backend'],
    read: () => shown(registry).map((backend) => ({ labels: { backend: backend.id }, value: valueOf(backend) })),
  });
  return [
    gauge('platform_backend_healthy', 'Whether a backend answers (1) or not (0).', ({ healthy }) => Number(healthy)),
    gauge('platform_backend_calls_open', 'Calls that a backend is answering.', ({ inFlight }) => inFlight),
  ];
}

/** Those of the operator, and the first of tenants' own, of which there may be any number. */
function shown({ all }: BackendRegistry): readonly Backend[] {
  const own = all.filter(({ tenantId }) => tenantId !== null);
  return [...all.filter(({ tenantId }) => tenantId === null), ...own.slice(0, TENANT_BACKENDS)];
}
