import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { egressRule } from '../../../src/platform/net/egress-rule.js';
import { Origin } from '../../../src/platform/net/egress.js';
import type { OriginOptions, OriginResponse } from '../../../src/platform/net/egress.js';
import { eventually } from '../../support/probes/eventually.js';
import { repeatedly, startRawServer } from '../../support/servers/raw-server.js';
import type { RawServer } from '../../support/servers/raw-server.js';

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const LATE = { status: 504, code: 'upstream_timeout' };

describe('an origin that breaks the rules', () => {
  let server: RawServer;
  let origin: Origin;

  beforeEach(async () => {
    server = await startRawServer(() => undefined);
    origin = open();
  });
  afterEach(() => Promise.all([origin.close(), server.close()]));

  it('does not end the process by its silence', async () => {
    const args = ['--import', 'tsx', 'test/support/servers/timed-out-request.ts', server.url];

    const { stdout } = await promisify(execFile)(process.execPath, args);

    expect(stdout).toBe('TimeoutError\ngoes on\n');
  });

  it('is given up in time where it announces its answer for ever', async () => {
    server.answer((socket) => repeatedly(socket, 'HTTP/1.1 102 Processing\r\n\r\n'));

    await expect(get()).rejects.toMatchObject(LATE);
    await eventually('no connection is open', 25, () => server.open === 0);
  });

  it('is given up in time where no connection is free, as one that was not asked', async () => {
    await origin.close();
    origin = open({ maxConnections: 1 });
    server.answer((socket) => void socket.write(`${HEAD}content-length: 10\r\n\r\n{`));
    const { body } = await get();

    await expect(get()).rejects.toMatchObject({ ...LATE, cause: { code: 'UND_ERR_CONNECT_TIMEOUT' } });
    body.cancel();
    expect(server.requests).toHaveLength(1);
  });

  it('may send only so much at once in all of its answers together', async () => {
    await origin.close();
    origin = open({ bufferedBytes: 100 });
    server.answer((socket) => void socket.write(`${HEAD}content-length: 80\r\n\r\n${'x'.repeat(70)}`));
    const [first, second] = await Promise.all([get(), get()]);
    const reading = first.body.readAll();
    // Told only when the second one is refused, which needs what the first one holds.
    reading.catch(() => undefined);

    await expect(second.body.readAll()).rejects.toMatchObject({ code: 'bad_upstream' });
    first.body.cancel();
    await expect(reading).rejects.toMatchObject({ code: 'bad_upstream' });
    server.answer((socket) => void socket.write(`${HEAD}content-length: 90\r\n\r\n${'x'.repeat(90)}`));
    const third = await get();

    expect(await third.body.readAll()).toHaveLength(90);
  });

  it('is read as a whole for a limited time, and up to a limited size', async () => {
    server.answer((socket) => {
      socket.write(`${HEAD}content-length: 1000000\r\n\r\n`);
      repeatedly(socket, 'x');
    });
    const slow = await get();
    await expect(slow.body.readAll({ bytes: 1_000_000, milliseconds: 300 })).rejects.toMatchObject(LATE);

    server.answer((socket) => void socket.write(`${HEAD}\r\n${'x'.repeat(100_000)}`));
    const large = await get();
    await expect(large.body.readAll({ bytes: 50_000, milliseconds: 5_000 })).rejects.toMatchObject({ status: 502 });
    await eventually('no connection is open', 25, () => server.open === 0);
  });

  it('is not heard beyond the end of its answer', async () => {
    const first = `${HEAD}content-length: 2\r\n\r\n{}`;
    const second = `${HEAD}content-length: 10\r\n\r\n{"evil":1}`;
    server.answer((socket) => void socket.write(first + second));
    expect((await (await get()).body.readAll()).toString()).toBe('{}');
    await eventually('the connection has ended', 25, () => server.open === 0);
    server.answer((socket) => void socket.write(first));

    expect((await (await get()).body.readAll()).toString()).toBe('{}');
  });

  it('may send trailers, which nobody reads, but not without end', async () => {
    const chunked = `${HEAD}transfer-encoding: chunked\r\ntrailer: x-end\r\n\r\n2\r\n{}\r\n0\r\n`;
    server.answer((socket) => void socket.write(`${chunked}x-end: 1\r\n\r\n`));
    expect((await (await get()).body.readAll()).toString()).toBe('{}');

    server.answer((socket) => {
      socket.write(chunked);
      repeatedly(socket, `x-end: ${'x'.repeat(1_000)}\r\n`, 1);
    });
    const { body } = await get();
    await expect(body.readAll()).rejects.toMatchObject({ status: 502 });
  });

  it('leaves nothing behind on a signal that lives long', async () => {
    const { signal } = new AbortController();
    const added = new Set<unknown>();
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...args: unknown[]) => {
      added.add(args[1]);
      (addEventListener as (...all: unknown[]) => void).apply(signal, args);
    };
    signal.removeEventListener = (...args: unknown[]) => {
      added.delete(args[1]);
      (removeEventListener as (...all: unknown[]) => void).apply(signal, args);
    };
    server.answer((socket) => void socket.end(`${HEAD}content-length: 2\r\n\r\n{}`));
    await (await get(signal)).body.readAll();
    server.answer((socket) => void socket.resetAndDestroy());
    await get(signal).catch(() => undefined);
    server.answer(() => undefined);
    await get(signal).catch(() => undefined);

    expect(added.size).toBe(0);
  });

  it('is not asked any more when it is closed, though it was retired before', async () => {
    await origin.retire();
    await origin.close();

    await expect(get()).rejects.toMatchObject({ status: 502 });
    expect(server.requests).toHaveLength(0);
  });

  it('answers whoever was about to ask when it was retired, and keeps no connection', async () => {
    server.answer((socket) => void socket.write(`${HEAD}content-length: 2\r\n\r\n{}`));
    await (await get()).body.readAll();
    await origin.retire();

    expect((await (await get()).body.readAll()).toString()).toBe('{}');
    await eventually('no connection is open', 2, () => server.open === 0);
  });

  it.each([
    ['a port of another service', 'http://93.184.216.34:6379/v1'],
    ['a port below those of programs', 'http://93.184.216.34:22/v1'],
    ['the same by a name', 'http://localhost:5432/v1'],
    ['an address that is not public', 'http://10.0.0.1/v1'],
    ['the same with a dot behind it', 'http://127.0.0.1./v1'],
    ['the same as one number', 'http://2130706433/v1'],
    ['the same as an IPv6 address', 'http://[::ffff:127.0.0.1]/v1'],
    ['a name of such an address', 'http://localhost:8000/v1'],
  ])('is not connected to at %s', async (_what, baseUrl) => {
    await origin.close();
    origin = open({ baseUrl, rule: egressRule([]) });

    await expect(get()).rejects.toMatchObject({ status: 502, cause: { code: 'EACCES' } });
  });

  it('is connected to at the ports that are allowed, and at no other', async () => {
    server.answer((socket) => void socket.write(`${HEAD}content-length: 2\r\n\r\n{}`));
    const { port } = server;
    const answers = async (ports: readonly (readonly [number, number])[]): Promise<boolean> => {
      await origin.close();
      origin = open({ rule: egressRule(['127.0.0.1'], ports) });
      return get().then(
        ({ body }) => body.readAll().then(() => true),
        () => false,
      );
    };

    expect(await answers([[port, port]])).toBe(true);
    expect(await answers([[port - 1, port + 1]])).toBe(true);
    expect(await answers([[port + 1, 65_535]])).toBe(false);
  });

  function open(options: Partial<OriginOptions> = {}): Origin {
    return new Origin({ baseUrl: server.url, headers: {}, maxConnections: 4, timeoutSeconds: 0.5, ...options });
  }

  function get(signal = new AbortController().signal): Promise<OriginResponse> {
    return origin.request({ method: 'GET', path: '/models', signal });
  }
});

describe('the ports of tenants', () => {
  it.each([80, 443, 1_234, 3_000, 4_000, 5_000, 7_860, 8_000, 8_080, 8_081, 8_443, 9_000, 11_434, 30_000, 65_535])(
    'may be %d',
    (port) => {
      expect(egressRule([]).allowsPort(port)).toBe(true);
    },
  );

  it.each([0, 22, 25, 389, 1_023, 2_049, 2_375, 3_306, 5_432, 6_379, 6_443, 9_092, 9_200, 10_250, 11_211, 27_018])(
    'may not be %d',
    (port) => {
      expect(egressRule([]).allowsPort(port)).toBe(false);
    },
  );
});
