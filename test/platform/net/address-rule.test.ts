import { describe, expect, it } from '@jest/globals';
import { publicAddresses } from '../../../src/platform/net/address-rule.js';
import { isLoopback } from '../../../src/platform/net/loopback.js';

describe('the rule for addresses of tenants', () => {
  it.each([
    '127.0.0.1',
    '127.8.9.10',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '168.63.129.16',
    '192.0.2.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::127.0.0.1',
    'fe80::1',
    'fe80::1%eth0',
    'fd00:ec2::254',
    'fec0::1',
    'ff02::1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:db8::1',
    'localhost',
    '',
  ])('refuses %j', (address) => {
    expect(publicAddresses([])(address)).toBe(false);
  });

  it.each(['8.8.8.8', '172.32.0.1', '2606:4700:4700::1111', '::ffff:8.8.8.8'])('allows %j', (address) => {
    expect(publicAddresses([])(address)).toBe(true);
  });

  it('allows what the operator allows beside', () => {
    const isAllowed = publicAddresses(['10.1.0.0/16', '::1', '192.168.7.7']);

    expect(['10.1.2.3', '::1', '192.168.7.7', '::ffff:10.1.2.3'].map(isAllowed)).toEqual([true, true, true, true]);
    expect(['10.2.0.1', '::2', '192.168.7.8', '127.0.0.1'].map(isAllowed)).toEqual([false, false, false, false]);
  });

  it.each([
    ['127.0.0.1', true],
    ['127.8.9.10', true],
    ['::1', true],
    ['0:0:0:0:0:0:0:1', true],
    ['::ffff:127.0.0.1', true],
    ['::ffff:7f00:1', true],
    ['128.0.0.1', false],
    ['::2', false],
    ['::ffff:10.0.0.1', false],
    ['127.0.0.1.example', false],
    ['127.evil.example', false],
    ['localhost', true],
    ['localhost.example', false],
    ['', false],
  ])('knows whether %s is this machine: %s', (address, isThisMachine) => {
    expect(isLoopback(address)).toBe(isThisMachine);
  });

  it('refuses the addresses of this machine, unless the operator allows them', () => {
    const own = () => ['93.184.216.34', '2606:2800:220:1::1', '10.0.0.5'];

    const refused = own().map(publicAddresses([], own));
    const allowed = own().map(publicAddresses(['93.184.216.34'], own));
    const others = ['93.184.216.35', '::ffff:93.184.216.34'].map(publicAddresses([], own));

    expect(refused).toEqual([false, false, false]);
    expect(allowed).toEqual([true, false, false]);
    expect(others).toEqual([true, false]);
  });
});
