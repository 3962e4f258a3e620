import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { checkLedger } from '../../domains/ledger/ledger/check/check.ts';

/** The services with all statements of this organization in the transaction of the import. */
export function servicesWithin(services: Services, tx: Tx, orgId: string): Services {
  const withOrg: Services['database']['withOrg'] = async (id, work) => {
    if (id !== orgId) throw new Error('Only the imported organization can be selected');
    return work(tx);
  };
  const database = { ...services.database, withOrg, global: <Result>(work: (tx: Tx) => Promise<Result>) => work(tx) };
  return { ...services, database, ledger: { ...services.ledger, database } };
}

/** Checks the complete ledger of an organization as this transaction sees it. Returns the problems, one per line. */
export async function listLedgerProblems(services: Services, tx: Tx, orgId: string): Promise<string[]> {
  const checked = await checkLedger(servicesWithin(services, tx, orgId), orgId);
  return (checked?.problems ?? []).map(({ epoch, message }) => `epoch ${epoch}, ${message}`);
}
