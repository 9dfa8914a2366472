import { afterAll, beforeAll } from '@jest/globals';
import { addStaffedTenant } from '../builders/accounts.js';
import type { StaffedTenant } from '../builders/accounts.js';
import { startGateway } from './gateway.js';
import type { Gateway, GatewayOptions } from './gateway.js';
import { startPlatform } from './platform.js';
import type { Platform } from './platform.js';

/** Start-up variables, or what tells them when the tests begin. */
type Env = Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>);

/** A platform for the tests of a file or a `describe`: started before them, closed after them. */
export function usePlatform(env: Env = {}): Platform {
  return useStarted(() => startPlatform(typeof env === 'function' ? env() : env), 'the platform');
}

/** A platform before scripted model servers for the tests of a file or a `describe`. */
export function useGateway(options: GatewayOptions | (() => GatewayOptions) = {}): Gateway {
  return useStarted(() => startGateway(typeof options === 'function' ? options() : options), 'the gateway');
}

/** A tenant of a platform, with an administrator and a user, for the tests of a file or a `describe`. */
export function useTenant(platform: Platform): StaffedTenant {
  return useStarted(async () => ({ ...(await addStaffedTenant(platform)), close: () => undefined }), 'the tenant');
}

/** What stands for something that does not exist before the tests begin. */
function useStarted<T extends object>(start: () => Promise<T & { close(): unknown }>, name: string): T {
  let started: (T & { close(): unknown }) | undefined;
  beforeAll(async () => {
    started = await start();
  });
  afterAll(async () => {
    await started?.close();
  });
  const required = () => {
    if (!started) throw new Error(`The tests have not begun: ${name} is not there yet.`);
    return started;
  };
  return new Proxy({} as T, {
    get(_target, key) {
      const value: unknown = Reflect.get(required(), key, started);
      return typeof value === 'function' ? value.bind(started) : value;
    },
    set(_target, key, value) {
      return Reflect.set(required(), key, value);
    },
  });
}
