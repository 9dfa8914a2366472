import { describe, expect, it } from '@jest/globals';
import { isOwnRecord, macOfRecord, RECORD_COLUMNS } from '../../../src/platform/audit/record-mac.js';
import type { RecordContent } from '../../../src/platform/audit/record-mac.js';
import { SecretBox } from '../../../src/platform/crypto/secret-box.js';

const secretBox = new SecretBox(Buffer.alloc(32, 1));

describe('the MAC of an audit record', () => {
  it('is what it was in the databases that are there', () => {
    const mac = macOfRecord(secretBox, RECORD).toString('hex');
    const ofNoTime = macOfRecord(secretBox, { ...RECORD, created_at: Number.POSITIVE_INFINITY as never }).toString(
      'hex',
    );

    expect(mac).toBe('3cbf7a4a73cf78328d16daaeb5285394ad6ff6fe79bf8d7d8a74615a57a556e1');
    expect(ofNoTime).toBe('a94251f0418a92bcbc6cea87fa694e172cbca8b02b1bc17cf840566db3a80218');
  });

  it.each(RECORD_COLUMNS)('covers %s', (column) => {
    const written = { ...RECORD, mac: macOfRecord(secretBox, RECORD) };

    const isOwn = isOwnRecord(secretBox, written);
    const isOwnChanged = isOwnRecord(secretBox, { ...written, [column]: CHANGED[column] });

    expect([isOwn, isOwnChanged]).toEqual([true, false]);
  });

  it('covers all that a record is made of', () => {
    expect(new Set(RECORD_COLUMNS)).toEqual(new Set(Object.keys(RECORD)));
  });
});

const RECORD: RecordContent = {
  id: 'aud_1',
  tenant_id: 'ten_1',
  action: 'thing.change',
  actor_type: 'user',
  actor_id: 'usr_1',
  target_type: 'thing',
  target_id: null,
  outcome: 'success',
  reason: 'because',
  ip: '192.0.2.7',
  user_agent: 'Probe/1.0',
  request_id: 'r-1',
  server_request_id: 's-1',
  salts: Buffer.alloc(80, 0xab),
  created_at: new Date('2026-01-02T03:04:05.678Z'),
};

/** Another value for each. */
const CHANGED: RecordContent = {
  id: 'aud_2',
  tenant_id: null,
  action: 'thing.delete',
  actor_type: 'system',
  actor_id: null,
  target_type: null,
  target_id: 'thing_1',
  outcome: 'denied',
  reason: null,
  ip: null,
  user_agent: null,
  request_id: null,
  server_request_id: null,
  salts: Buffer.alloc(80),
  created_at: new Date('2026-01-02T03:04:05.679Z'),
};
