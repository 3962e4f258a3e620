import type { Endpoint } from '@sightline/contract/core/endpoint.ts';
import { listOrganizations } from '@sightline/contract/organization/organizations.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { keyOf } from '#lib/api.ts';
import { refreshFlags } from '#lib/flags.ts';
import { onReconnect, onRefused, useNews } from '#lib/realtime.ts';
import type { outdated } from './outdated.ts';

type ChangeNotice = keyof typeof outdated;

/** Asks again for what the news is about; after a lost connection for everything, since news may have been missed. */
export function useFreshAnswers(): void {
  const queryClient = useQueryClient();
  const due = useRef(new Set<ChangeNotice>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hear = (name: ChangeNotice) => {
    due.current.add(name);
    // An import tells much in a row: asking at once each time would cancel one question by the next.
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      const told = [...due.current];
      due.current.clear();
      void askAgain(queryClient, told);
    }, gather);
  };
  useNews('orgRepos', () => hear('orgRepos'));
  useNews('orgMembers', () => hear('orgMembers'));
  useNews('orgSettings', () => hear('orgSettings'));
  useNews('orgIntegrations', () => hear('orgIntegrations'));
  useNews('orgFindings', () => hear('orgFindings'));
  useNews('orgScans', () => hear('orgScans'));
  useNews('orgTools', () => hear('orgTools'));
  useNews('orgAudit', () => hear('orgAudit'));
  useNews('orgWebhooks', () => hear('orgWebhooks'));
  useNews('orgEvidence', () => hear('orgEvidence'));
  useNews('orgLedger', () => hear('orgLedger'));
  useNews('orgPolicies', () => hear('orgPolicies'));
  useNews('orgExceptions', () => hear('orgExceptions'));
  useNews('extStatus', () => hear('extStatus'));
  useNews('userStatus', () => hear('userStatus'));
  useEffect(
    () =>
      onReconnect(() => {
        void queryClient.invalidateQueries();
        refreshFlags();
      }),
    [queryClient],
  );
  useEffect(
    () => onRefused(() => void queryClient.invalidateQueries({ queryKey: keyOf(listOrganizations) })),
    [queryClient],
  );
  useEffect(() => () => clearTimeout(timer.current), []);
}

async function askAgain(queryClient: QueryClient, told: readonly ChangeNotice[]): Promise<void> {
  const asked = await import('./outdated.ts').catch(() => undefined);
  // The part that knows which answers are meant could not be fetched: then it may be any of them.
  if (!asked) return queryClient.invalidateQueries();
  const endpoints = new Set<Endpoint>(told.flatMap((name) => [...asked.outdated[name]]));
  for (const endpoint of endpoints) void queryClient.invalidateQueries({ queryKey: keyOf(endpoint) });
}

/** Milliseconds in which news is gathered before anything is asked. */
const gather = 300;
