import { listAnchors } from '@sightline/contract/ledger/anchors.ts';
import { getLedger } from '@sightline/contract/ledger/ledger.ts';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';

export const useLedger = () =>
  useQuery({ ...endpointQuery(getLedger, {}), meta: { quiet: true }, refetchInterval: 15_000 });

/** Fetches all anchors; the maximum is 20. */
export const useAnchors = () =>
  useQuery({ ...endpointQuery(listAnchors, { query: { perPage: 100 } }), meta: { quiet: true } });

/** Returns the public keys of the configured witnesses. */
export function useWitnessKeys(): readonly string[] {
  const { data } = useAnchors();
  return (data?.rows ?? []).flatMap(({ settings }) => (typeof settings.key === 'string' ? [settings.key] : []));
}
