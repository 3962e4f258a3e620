import type { ApiError } from '@sightline/contract/core/client.ts';
import { getLedgerCheckpoint, getLedgerSize, type LedgerSizeFacts } from '@sightline/contract/ledger/ledger.ts';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { call, endpointQuery } from './api.ts';
import { parseSearch, stringifySearch } from './search-params.ts';
import { hasPermission, useSession } from './session.ts';
import { useExport } from './use-export.ts';

/** A time in ISO 8601, or a ledger size: `4711`, or `1.4711` with its epoch. */
export type AsOfChoice = { at: string } | { ledgerSize: string };

/** The data of `ui/AsOfButton.tsx` and `ui/AsOfBanner.tsx`. */
export interface AsOf {
  /** The ledger size in the address; undefined for the current list. */
  ledgerSize: string | undefined;
  /** undefined while loading, and for an unknown size. */
  facts: LedgerSizeFacts | undefined;
  failure: ApiError | undefined;
  /** Shows the list at the last ledger size until a time, or at a size. Throws ApiError if there is none. */
  choose: (choice: AsOfChoice) => Promise<void>;
  /** The address of the current list. */
  currentHref: string;
  /** Saves the checkpoint that contains the entries; undefined without permission, and while loading. */
  saveCheckpoint: (() => void) | undefined;
}

/** The ledger size of a list. `select` sets it in the address, with the filters that apply to recorded rows. */
export function useAsOf(ledgerSize: string | undefined, select: (ledgerSize: string) => void): AsOf {
  const { data: facts, error } = useQuery({
    ...endpointQuery(getLedgerSize, { query: ledgerSize === undefined ? {} : { ledgerSize } }),
    enabled: ledgerSize !== undefined,
    meta: { quiet: true },
  });
  const readsLedger = hasPermission(useSession(), 'read:audit-log');
  const saving = useExport(getLedgerCheckpoint, () => undefined);
  const currentHref = useLocation({
    select: ({ pathname, searchStr }) => {
      const { ledgerSize: _, page: _page, ...search } = parseSearch(searchStr);
      return `${pathname}${stringifySearch(search)}`;
    },
  });
  return {
    ledgerSize,
    facts,
    failure: facts ? undefined : (error ?? undefined),
    choose: async (choice) => select((await call(getLedgerSize, { query: choice })).ledgerSize),
    currentHref,
    saveCheckpoint:
      readsLedger && facts
        ? () => saving.start({ query: { epoch: facts.epoch, size: facts.checkpoint.size } })
        : undefined,
  };
}
