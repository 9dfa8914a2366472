import ipaddr from 'ipaddr.js';
import { z } from 'zod';

/** 1024 × 1024 bytes. */
export const MEBIBYTE = 1024 * 1024;

/** `true` or `false`. */
export const flag = z.enum(['true', 'false']).transform((text) => text === 'true');

/** Texts, separated by commas. */
export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
);

/** Addresses and CIDRs, separated by commas. */
export const cidrs = list.refine((parts) => parts.every(isCidr), {
  message: 'must be addresses or CIDRs, separated by commas',
});

/** A whole number within bounds, both included. */
export function whole(min: number, max: number) {
  return z.coerce.number().int().min(min).max(max);
}

/**
 * A URL of one of these protocols, such as `https:`. Others read it as it stands, such as programs for mail, so it has no
 * spaces and line ends, which a parser would take out.
 */
export function url(...protocols: string[]) {
  const isUrl = (text: string): boolean =>
    /^[a-z]+:\/\/[^\s\p{Cc}]*$/iu.test(text) && URL.canParse(text) && protocols.includes(new URL(text).protocol);
  return z.string().refine(isUrl, {
    message: `must be a URL that starts with ${protocols.join('// or ')}//, without spaces and line ends`,
  });
}

function isCidr(text: string): boolean {
  const { IPv4, IPv6 } = ipaddr;
  return text.includes(':')
    ? IPv6.isValid(text) || IPv6.isValidCIDR(text)
    : IPv4.isValidFourPartDecimal(text) || IPv4.isValidCIDRFourPartDecimal(text);
}
