import type { Provider } from '@sightline/contract/core/providers.ts';
import type { Tx } from '#database/database.ts';

/** The number or UUID of an account of a person on a code host. */
export interface HostAccount {
  person: string;
  hostId: string;
}

/** Returns the accounts of persons on a host. */
export const hostAccountsOf = (
  tx: Tx,
  orgId: string,
  provider: Provider,
  persons: readonly string[],
): Promise<HostAccount[]> =>
  tx.query<HostAccount & Record<string, unknown>>({
    name: 'changes.accounts',
    text: `select distinct person_id as person, host_id as "hostId" from identity
           where org_id = $1 and kind = $2 and person_id = any($3::uuid[]) and host_id is not null order by 1, 2`,
    values: [orgId, provider, persons],
  });
