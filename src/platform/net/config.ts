import { z } from 'zod';
import type { ConfigOf } from '../config/config.js';
import { cidrs, list } from '../config/variables.js';

/** Ports and ranges, such as `80,443,1024-65535`. */
const ports = list
  .refine((parts) => parts.length > 0 && parts.every((part) => isPortRange(part)), {
    message: 'must be ports and ranges from 1 to 65535, separated by commas, such as 80,443,1024-65535',
  })
  .transform((parts) => parts.map(toPortRange));

/** Where the server may connect to because a user says so. */
export const netConfig = z
  .object({
    EGRESS_ALLOW: cidrs
      .default([])
      .describe(
        'Addresses or CIDRs that are not public, and that tenants may have their own backends at all the same.',
      ),
    EGRESS_PORTS: ports
      .optional()
      .describe(
        'Ports that they may have, exactly these, such as 80,443,1024-65535; not set: 80, 443 and from 1024 up, but for those where usually databases, caches, brokers, remote access or the control of clusters listen.',
      ),
  })
  .describe('Outgoing connections');

/** The settings of outgoing connections. */
export type NetConfig = ConfigOf<typeof netConfig>;

function toPortRange(text: string): readonly [from: number, to: number] {
  const [from, to = from] = text.split('-').map(Number) as [number, number?];
  return [from, to];
}

function isPortRange(text: string): boolean {
  const [from, to] = toPortRange(text);
  return /^\d{1,5}(-\d{1,5})?$/.test(text) && from >= 1 && from <= to && to <= 65_535;
}
