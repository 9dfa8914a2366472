import { makeContracts } from '../contracts/make-contracts.js';
import { makeForms } from '../forms/make-forms.js';
import { makeInvoices } from '../invoices/make-invoices.js';
import type { SetDocument } from './document.types.js';

/** How many documents of each kind. */
export interface SetSize {
  readonly invoices: number;
  readonly contracts: number;
  readonly forms: number;
}

/** The whole set. */
export const WHOLE_SET: SetSize = { invoices: 300, contracts: 60, forms: 40 };

/** Writes a set of documents, one after another; the same seed writes the same ones. */
export async function* makeSet({ invoices, contracts, forms }: SetSize, seed: number): AsyncGenerator<SetDocument> {
  yield* makeInvoices(invoices, seed);
  yield* makeContracts(contracts, seed);
  yield* makeForms(forms, seed);
}
