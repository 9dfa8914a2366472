import { describe, expect, it } from '@jest/globals';
import { StubbornPeer } from '../support/servers/stubborn-peer.js';
import { useGateway } from '../support/servers/use-servers.js';

describe('a web socket', () => {
  const gateway = useGateway();

  it('that is sent pings and never reads keeps little in memory', async () => {
    const peer = await new StubbornPeer(gateway.platform.url).open(gateway.token);
    await peer.until(({ type }) => type === 'connection_ack');
    peer.pause();
    const before = process.memoryUsage().rss;

    for (let sent = 0; sent < 300; sent += 1) peer.send({ type: 'ping', payload: { text: 'x'.repeat(900_000) } });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const grown = process.memoryUsage().rss - before;
    peer.leave();

    // The peer is in this process too, and holds its 270 MB until they are taken.
    expect(grown).toBeLessThan(700 * 1024 * 1024);
  });
});
