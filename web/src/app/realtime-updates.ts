import type { Endpoint } from '@sightline/contract/core/endpoint.ts';
import { listOrganizations } from '@sightline/contract/organization/organizations.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { keyOf } from '#lib/api.ts';
import { refreshFlags } from '#lib/flags.ts';
import { onReconnect, onSessionRejected, useChangeNotice } from '#lib/realtime.ts';
import type { outdated } from './outdated.ts';

type ChangeNotice = keyof typeof outdated;

/** Refetches the data of change notices; after a lost connection all data, since notices may have been missed. */
export function useFreshAnswers(): void {
  const queryClient = useQueryClient();
  const due = useRef(new Set<ChangeNotice>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hear = (name: ChangeNotice) => {
    due.current.add(name);
    // An import sends many notices in a row. Immediate requests would cancel each other.
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      const notices = [...due.current];
      due.current.clear();
      void refetch(queryClient, notices);
    }, COLLECT_MS);
  };
  useChangeNotice('orgRepos', () => hear('orgRepos'));
  useChangeNotice('orgMembers', () => hear('orgMembers'));
  useChangeNotice('orgSettings', () => hear('orgSettings'));
  useChangeNotice('orgIntegrations', () => hear('orgIntegrations'));
  useChangeNotice('orgFindings', () => hear('orgFindings'));
  useChangeNotice('orgScans', () => hear('orgScans'));
  useChangeNotice('orgTools', () => hear('orgTools'));
  useChangeNotice('orgAudit', () => hear('orgAudit'));
  useChangeNotice('orgWebhooks', () => hear('orgWebhooks'));
  useChangeNotice('orgEvidence', () => hear('orgEvidence'));
  useChangeNotice('orgLedger', () => hear('orgLedger'));
  useChangeNotice('orgPolicies', () => hear('orgPolicies'));
  useChangeNotice('orgExceptions', () => hear('orgExceptions'));
  useChangeNotice('extStatus', () => hear('extStatus'));
  useChangeNotice('userStatus', () => hear('userStatus'));
  useEffect(
    () =>
      onReconnect(() => {
        void queryClient.invalidateQueries();
        refreshFlags();
      }),
    [queryClient],
  );
  useEffect(
    () => onSessionRejected(() => void queryClient.invalidateQueries({ queryKey: keyOf(listOrganizations) })),
    [queryClient],
  );
  useEffect(() => () => clearTimeout(timer.current), []);
}

async function refetch(queryClient: QueryClient, notices: readonly ChangeNotice[]): Promise<void> {
  const invalidations = await import('./outdated.ts').catch(() => undefined);
  // The module with the affected queries could not be loaded, so all queries are refetched.
  if (!invalidations) return queryClient.invalidateQueries();
  const endpoints = new Set<Endpoint>(notices.flatMap((name) => [...invalidations.outdated[name]]));
  for (const endpoint of endpoints) void queryClient.invalidateQueries({ queryKey: keyOf(endpoint) });
}

/** Milliseconds for which notices are collected before a refetch. */
const COLLECT_MS = 300;
