import { pino } from 'pino';
import type { Host } from '../../domain-module.js';
import type { TenantDirectory } from '../../identity/domain.js';
import type { PeriodicTask } from '../../platform/async/periodic.js';
import { egressRule } from '../../platform/net/egress-rule.js';
import { isLoopback } from '../../platform/net/loopback.js';
import type { InferenceConfig } from '../config.js';
import type { Backend } from './backend.js';
import { BackendDiscovery } from './backend-discovery.js';
import { BackendHealthService } from './health/backend-health.service.js';
import { BackendRegistry } from './backend-registry.js';
import { readBackendSettings } from './backend-settings.js';
import type { BackendSettings } from './backend-settings.js';
import { BackendsService } from './backends.service.js';
import { findSpeechEngines } from '../speech/engines/find-engines.js';
import { BuiltinBackend } from '../builtin/builtin-backend.js';
import { ModelPoliciesService } from '../models/model-policies.service.js';
import { createServer } from './create-server.js';
import { ApertiumEngine } from '../translation/apertium/apertium-engine.js';
import { RuntimeBackendsService } from './runtime/runtime-backends.service.js';
import { StoredBackends } from './runtime/stored-backends.js';

const POLL_MS = 1_000;
const DISCOVERY_MS = 30_000;

/** What keeps backends, and what is told of them. */
export interface BackendManagement {
  readonly registry: BackendRegistry;
  readonly policies: ModelPoliciesService;
  readonly service: BackendsService;
  readonly health: BackendHealthService;
  readonly runtime: RuntimeBackendsService;
  /** What keeps them up to date. */
  readonly tasks: readonly PeriodicTask[];
}

/** The backends of the configuration, of the database and of this machine, and what keeps them up to date. */
export async function createBackendManagement(
  { audit, config, log, database, scratch, secretBox, topics }: Host<InferenceConfig>,
  tenants: TenantDirectory,
): Promise<BackendManagement> {
  const { dataSource } = database;
  const settings = readBackendSettings(config);
  const healthChanged = (backend: Backend): void => health.changed(backend);
  const isBuiltin = settings.some(({ kind }) => kind === 'builtin');
  const engines = isBuiltin ? await findSpeechEngines(scratch) : [];
  const apertium = isBuiltin ? await ApertiumEngine.find() : undefined;
  const registry = new BackendRegistry(
    settings.map((entry) =>
      entry.kind === 'builtin'
        ? new BuiltinBackend(entry, engines, apertium ? [apertium] : [])
        : createServer(entry, log, { healthChanged }),
    ),
  );
  const policies = new ModelPoliciesService(dataSource, tenants, audit);
  const service = new BackendsService(registry, policies);
  const health = new BackendHealthService(topics, registry, service);
  const tenantRule = egressRule(config.egressAllow, config.egressPorts);
  const stored = new StoredBackends({ dataSource, secretBox, registry, tenantRule, healthChanged, log });
  const runtime = new RuntimeBackendsService({ dataSource, stored, registry, tenantRule, audit });
  const poll = async (): Promise<void> => void (await Promise.all([policies.refresh(), stored.refresh()]));
  const tasks: PeriodicTask[] = [];

  await policies.refresh();
  await stored.refresh();
  // The embedded database has no other replica.
  if (!database.embedded) tasks.push({ name: 'polling backends and model policies', intervalMs: POLL_MS, run: poll });
  if (config.discoverBackends) {
    const takenPorts = new Set([config.port, ...settings.flatMap(portOf)]);
    const discovery = new BackendDiscovery({ registry, takenPorts, healthChanged, log, silentLog });
    tasks.push({ name: 'looking for model servers', intervalMs: DISCOVERY_MS, run: () => discovery.discover() });
    await discovery.discover();
  }
  return { registry, policies, service, health, runtime, tasks };
}

const silentLog = pino({ level: 'silent' });

/** The port of a configured server on this machine. */
function portOf(settings: BackendSettings): number[] {
  if (settings.kind === 'builtin') return [];
  const { hostname, port } = new URL(settings.base_url);
  return isLoopback(hostname.replace(/^\[|\]$/g, '')) ? [Number(port)] : [];
}
