/** What a gateway is measured against: a streaming proxy of `node:http` that does nothing else. Argument: the upstream. */
import { Agent, createServer, request as forward } from 'node:http';

const upstream = new URL(String(process.argv[2]));
const agent = new Agent({ keepAlive: true });

const server = createServer((request, response) => {
  const { method, url: path, headers } = request;
  const { hostname, port } = upstream;
  const onward = forward({ hostname, port, method, path, headers, agent }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  response.on('close', () => onward.destroy());
  request.pipe(onward);
});

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify(server.address())));
