import { type Topic, topics } from '@sightline/contract/core/topics.ts';
import { type ChangeNoticeName, changeNoticeNamespace } from '@sightline/contract/delivery/realtime.ts';
import { listOrganizations } from '@sightline/contract/organization/organizations.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { keyOf } from '#lib/api.ts';
import { refreshFlags } from '#lib/flags.ts';
import { listen, onReconnect, onSessionRejected } from '#lib/realtime.ts';
import { invalidateTopics } from '#lib/topics.ts';

/**
 * Topics that the server announces. The timeline is not one of them: it must not move under its reader, so that page
 * offers newer events itself (spec 2.6).
 */
const announced = topics.filter((topic): topic is Topic & ChangeNoticeName => topic in changeNoticeNamespace);

/** An import announces many changes in succession; reloading at each would cancel one request by the next. */
const GATHER_MS = 300;

/** Reloads what the server announces as changed, and everything after a lost connection, since events may have been missed. */
export function useRealtimeUpdates(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    const changed = new Set<Topic>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const reload = () => {
      timer = undefined;
      void invalidateTopics(queryClient, [...changed]);
      changed.clear();
    };
    const stops = announced.map((topic) =>
      listen(topic, () => {
        changed.add(topic);
        timer ??= setTimeout(reload, GATHER_MS);
      }),
    );
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, [queryClient]);
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
}
