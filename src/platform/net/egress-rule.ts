import ipaddr from 'ipaddr.js';
import { publicAddresses, refusedAddress } from './address-rule.js';
import type { AddressRule } from './address-rule.js';

/** The first and the last of neighbouring ports. */
export type PortRange = readonly [from: number, to: number];

/** Where connections may go whose address a user has given. */
export interface EgressRule {
  readonly allowsAddress: AddressRule;
  allowsPort(port: number): boolean;
  /** Why a URL is refused before any name is looked up: its port, or its literal address; undefined: it is not. */
  refusalOf(url: URL): Error | undefined;
}

/**
 * Ports from 1024 up at which usually another service than a model server listens: databases, caches, brokers,
 * directories, file and remote access, and what controls clusters.
 */
const SERVICE_PORTS: readonly PortRange[] = [
  [1080, 1080], // SOCKS
  [1099, 1099], // Java RMI
  [1433, 1434], // SQL Server
  [1521, 1522], // Oracle
  [1883, 1883], // MQTT
  [2049, 2049], // NFS
  [2181, 2181], // ZooKeeper
  [2222, 2222], // SSH
  [2375, 2380], // Docker, etcd
  [2483, 2484], // Oracle
  [3128, 3128], // Squid
  [3260, 3260], // iSCSI
  [3268, 3269], // global catalog
  [3306, 3306], // MySQL
  [3389, 3389], // remote desktop
  [4001, 4001], // etcd
  [4222, 4222], // NATS
  [4369, 4369], // Erlang
  [4646, 4648], // Nomad
  [5432, 5433], // PostgreSQL
  [5671, 5672], // AMQP
  [5900, 5910], // VNC
  [5984, 5986], // CouchDB, WinRM
  [6000, 6007], // X11
  [6333, 6334], // Qdrant
  [6379, 6380], // Redis
  [6432, 6432], // PgBouncer
  [6443, 6443], // Kubernetes
  [6650, 6650], // Pulsar
  [7000, 7001], // Cassandra
  [7077, 7077], // Spark
  [7199, 7199], // Cassandra
  [7474, 7474], // Neo4j
  [7687, 7687], // Neo4j
  [8086, 8086], // InfluxDB
  [8091, 8094], // Couchbase
  [8123, 8123], // ClickHouse
  [8200, 8201], // Vault
  [8300, 8302], // Consul
  [8500, 8502], // Consul
  [8529, 8529], // ArangoDB
  [8983, 8983], // Solr
  [9042, 9042], // Cassandra
  [9092, 9094], // Kafka
  [9160, 9160], // Cassandra
  [9200, 9200], // Elasticsearch
  [9300, 9300], // Elasticsearch
  [9418, 9418], // git
  [10_250, 10_259], // Kubernetes
  [11_211, 11_211], // memcached
  [15_672, 15_672], // RabbitMQ
  [16_379, 16_379], // Redis
  [19_530, 19_530], // Milvus
  [25_672, 25_672], // RabbitMQ
  [26_257, 26_257], // CockroachDB
  [26_379, 26_379], // Redis
  [27_017, 27_019], // MongoDB
  [28_015, 28_017], // RethinkDB, MongoDB
  [33_060, 33_060], // MySQL
  [50_070, 50_070], // Hadoop
  [61_613, 61_616], // ActiveMQ
];

/**
 * The rule for connections to addresses that a user has given: public ones, and those that the operator allows beside,
 * each at ports where model servers may be.
 * @param allow addresses or CIDRs that are not public
 * @param ports exactly these; undefined: 80, 443, and from 1024 up those where no other well-known service listens
 */
export function egressRule(allow: readonly string[], ports?: readonly PortRange[]): EgressRule {
  const allowsAddress = publicAddresses(allow);
  const allowsPort = (port: number): boolean => (ports ? isWithin(ports, port) : isUsual(port));
  return {
    allowsAddress,
    allowsPort,
    refusalOf: (url) => {
      if (!allowsPort(portOf(url))) return refusedPort();
      const host = url.hostname.replace(/^\[|\]$/g, '');
      return ipaddr.isValid(host) && !allowsAddress(host) ? refusedAddress() : undefined;
    },
  };
}

/** The port that a URL leads to, also where it leaves it out. */
export function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

/** The same code as that of a refused address: nothing was connected. */
function refusedPort(): NodeJS.ErrnoException {
  return Object.assign(new Error('The port is not allowed.'), { code: 'EACCES' });
}

function isUsual(port: number): boolean {
  return port === 80 || port === 443 || (port >= 1_024 && !isWithin(SERVICE_PORTS, port));
}

function isWithin(ranges: readonly PortRange[], port: number): boolean {
  return ranges.some(([from, to]) => from <= port && port <= to);
}
