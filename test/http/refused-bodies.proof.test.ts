import { describe, expect, it } from '@jest/globals';
import { openRaw } from '../support/probes/raw-client.js';
import { usePlatform } from '../support/servers/use-servers.js';

const MEBIBYTE = 1024 * 1024;

describe('a refusal', () => {
  const platform = usePlatform();

  it('keeps nothing of a body', async () => {
    const socket = await openRaw(platform.url);
    const chunk = Buffer.alloc(MEBIBYTE, ' ');
    const before = process.memoryUsage.rss();
    let sent = 0;

    socket.write('POST /nothing HTTP/1.1\r\nhost: a\r\ncontent-length: 1000000000\r\n\r\n');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    while (sent < 1_000 && !socket.destroyed) {
      sent += 1;
      if (!socket.write(chunk)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
    }

    // Beside the bound there are the buffers of two sockets.
    expect(sent).toBeLessThan(100);
    expect(process.memoryUsage.rss() - before).toBeLessThan(200 * MEBIBYTE);
  });
});
