import type { QueryResultRow } from 'pg';
import type { Services } from '#core/services.ts';
import type { Statement, Tx } from '#database/database.ts';
import { checkLedger } from '../../domains/ledger/ledger/check/check.ts';
import { archivedEventsOf } from '../../domains/timeline/events/commands.ts';

/** The services with all statements of this organization in the transaction of the import. */
export function servicesWithin(services: Services, tx: Tx, orgId: string): Services {
  const withOrg: Services['database']['withOrg'] = async (id, work) => {
    if (id !== orgId) throw new Error('Only the imported organization can be selected');
    return work(tx);
  };
  const onceWithOrg: Services['database']['onceWithOrg'] = <Row extends QueryResultRow>(
    id: string,
    { text, values, ...how }: Statement,
  ) =>
    withOrg(id, () =>
      tx.query<Row>({
        ...how,
        name: '',
        text: `with tenant as materialized (select $1::uuid as org)${text}`,
        values: [orgId, ...values],
      }),
    );
  const within = { withOrg, onceWithOrg, boundedWithOrg: onceWithOrg };
  const database = { ...services.database, ...within, global: <Result>(work: (tx: Tx) => Promise<Result>) => work(tx) };
  const inside: Services = {
    ...services,
    database,
    ledger: { ...services.ledger, database },
    archivedEvents: archivedEventsOf(() => inside),
  };
  return inside;
}

/** Checks the complete ledger of an organization as this transaction sees it. Returns the problems, one per line. */
export async function listLedgerProblems(services: Services, tx: Tx, orgId: string): Promise<string[]> {
  const checked = await checkLedger(servicesWithin(services, tx, orgId), orgId);
  return (checked?.problems ?? []).map(({ epoch, message }) => `epoch ${epoch}, ${message}`);
}
