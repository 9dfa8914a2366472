import { defineConfig, Logger } from '@graphql-hive/gateway';

/** What a caller's request takes along to the servers; a web socket tells it in its `connection_init`. */
const HEADERS = ['authorization', 'x-request-id', 'idempotency-key', 'traceparent'];

/** A server that is subscribed to over web sockets gets the caller's token in `connection_init`. */
const webSocket = { kind: 'ws', options: { connectionParams: { authorization: '{context.headers.authorization}' } } };

/** Lines of JSON. A request that a server did not answer is left out: its prompt is in it. */
const logging = new Logger({
  writers: [
    {
      write: (level, attributes, message) =>
        console.log(JSON.stringify({ level, message, attributes }, (key, value) => (key === 'request' ? '…' : value))),
    },
  ],
});

/** Without a timeout of its own: a stream is as long as its answer. */
export const gatewayConfig = defineConfig({
  logging,
  propagateHeaders: {
    fromClientToSubgraphs: ({ context }) => Object.fromEntries(HEADERS.map((name) => [name, context.headers?.[name]])),
  },
  transportEntries: {
    // Otherwise a subscription is a GET, and its prompt part of the address.
    '*.http': { options: { method: 'POST' } },
    'metering.http': { options: { subscriptions: webSocket } },
  },
});
