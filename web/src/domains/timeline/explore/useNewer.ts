import { useThrottledCallback } from '@mantine/hooks';
import { countEvents } from '@sightline/contract/timeline/explore.ts';
import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { call } from '#lib/api.ts';
import { useChangeNotice, useConnection } from '#lib/realtime.ts';
import type { TimelineQuery } from './exploreQuery.ts';
import { noticePauseMs } from './timelineConstants.ts';

/** The number of newer events that are not loaded, and whether more exist than were counted. */
export interface NewerCount {
  /** Undefined if they could not be counted. */
  count: number | undefined;
  more: boolean;
}

/** The newest end of the loaded events, and whether newer ones existed. */
export interface NewestEnd {
  cursor: string | null;
  reached: boolean;
}

interface UseNewerProps {
  question: TimelineQuery;
  /** Undefined while nothing is loaded. */
  newest: NewestEnd | undefined;
  isFetching: boolean;
  following: RefObject<boolean>;
  /** Returns the newest end after loading. */
  fetchNewer: () => Promise<NewestEnd>;
  refetch: () => void;
}

/** On change notices, loads newer events if the page follows them, and counts them otherwise. */
export function useNewerEvents({ question, newest, isFetching, following, fetchNewer, refetch }: UseNewerProps) {
  const [counted, setCounted] = useState<{ question: TimelineQuery; waiting: NewerCount }>();
  const waiting = counted?.question === question ? counted.waiting : undefined;
  const [behind, setBehind] = useState(newest !== undefined);
  const [working, setWorking] = useState(false);

  const countFrom = async (newer: string | null) => {
    if (newer === null) return;
    const { context, query, offset } = question;
    const found = await call(countEvents, {
      body: { ...(context !== undefined && { context }), query, offset, newer },
    }).catch(() => ({ count: undefined, more: false }));
    setCounted(found.count === 0 ? undefined : { question, waiting: found });
  };
  const loadNewer = async () => {
    setCounted(undefined);
    const end = await fetchNewer();
    if (!end.reached) await countFrom(end.cursor);
  };
  const catchUp = useEffectEvent(async () => {
    if (!newest) return;
    if (newest.cursor === null) return refetch();
    if (following.current && !waiting && newest.reached) await loadNewer();
    else await countFrom(newest.cursor);
  });

  useChangeNotice(
    'orgEvents',
    useThrottledCallback(() => setBehind(true), noticePauseMs),
  );
  // Change notices before the connection were missed.
  const connected = useConnection() === 'connected';
  useEffect(() => {
    if (connected) setBehind(true);
  }, [connected]);
  // A timeline around one event, or with a discarded newest end, always has newer events.
  const isDetached = newest !== undefined && !newest.reached;
  useEffect(() => {
    if (isDetached) setBehind(true);
  }, [isDetached]);
  useEffect(() => {
    if (!behind || isFetching || working) return;
    setBehind(false);
    setWorking(true);
    void catchUp().finally(() => setWorking(false));
  }, [behind, isFetching, working]);

  return { waiting, loadNewer };
}
