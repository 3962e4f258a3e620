import { signHead } from '../domains/ledger/ledger/checkpoints.ts';
import { sequenceEntries } from '../domains/ledger/ledger/sequence.ts';
import type { TestOrganization, TestServer } from './server.ts';

/** Adds all pending entries to the ledger of an organization and signs it. Returns its size. */
export async function signLedger(
  { services: { ledger } }: Pick<TestServer, 'services'>,
  { id }: Pick<TestOrganization, 'id'>,
): Promise<number> {
  while ((await sequenceEntries(ledger, id)) > 0);
  const checkpoint = await signHead(ledger, id);
  if (!checkpoint) throw new Error('The ledger has no entries');
  return checkpoint.size;
}
