/** Loaded before a server: it writes nothing for a call, so that what the ledger costs can be told. */
const file = new URL('../dist/metering/ledger/ledger.js', import.meta.url).href;
const { Ledger } = (await import(file)) as typeof import('../src/metering/ledger/ledger.js');

Ledger.prototype.admit = async () => ({ kind: 'admitted', isLimited: false });
Ledger.prototype.settle = async () => undefined;
