import type { ServerResponse } from 'node:http';

const cut = new WeakSet<ServerResponse>();

/** Notes that an answer failed after its status was sent, so that the status does not tell it. */
export function noteCut(response: ServerResponse): void {
  cut.add(response);
}

/** Whether an answer failed after its status was sent. */
export function wasCut(response: ServerResponse): boolean {
  return cut.has(response);
}
