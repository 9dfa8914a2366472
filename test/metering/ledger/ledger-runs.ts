import fc from 'fast-check';

/** The beginning of a call; its tenant and its user are numbers of the run's own. */
const ASKED = fc.record({
  user: fc.nat(3),
  reserve: fc.nat(40),
  claim: fc.option(fc.nat(2), { freq: 4 }),
  metered: fc.boolean().map((one) => one || undefined),
});
/** The end of one of the calls so far, which may have ended already. */
const TOLD = fc.record({
  call: fc.nat(),
  state: fc.constantFrom('exact', 'estimated'),
  recovered: fc.boolean(),
  prompt: fc.nat(20),
  completion: fc.nat(40),
  keep: fc.boolean(),
});
const BATCH = fc.record({
  intents: fc.array(ASKED, { maxLength: 6 }),
  settlements: fc.array(TOLD, { maxLength: 5 }),
  /** Intents that are sent again, as after a lost connection. */
  again: fc.array(fc.nat(), { maxLength: 2 }),
  times: fc.constantFrom(1, 1, 1, 2),
});
const LIMIT = fc.option(fc.nat(12), { freq: 2 });
const TOKEN_LIMIT = fc.option(fc.nat(300), { freq: 2 });
const QUOTA = fc.record({ requests: LIMIT, tokens: TOKEN_LIMIT, userRequests: LIMIT, userTokens: TOKEN_LIMIT });
/** A run: batches of calls that begin and end, under a quota. */
export const LEDGER_RUNS = fc.record({
  /** Of the first of two tenants; the other one has none. */
  quota: fc.option(fc.record({ enforcing: fc.boolean(), limits: QUOTA })),
  userTokens: TOKEN_LIMIT,
  batches: fc.array(BATCH, { minLength: 1, maxLength: 7 }),
});

/** The end of a call, as a run has it. */
export type CallEnd = typeof TOLD extends fc.Arbitrary<infer T> ? T : never;
