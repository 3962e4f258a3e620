import { useThrottledCallback } from '@mantine/hooks';
import { countEvents } from '@sightline/contract/timeline/explore.ts';
import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { call } from '#lib/api.ts';
import { useConnection, useNews } from '#lib/realtime.ts';
import type { ExploreQuestion } from './exploreQuery.ts';
import { newsPause } from './timelineConstants.ts';

/** Newer events that are not loaded: how many, and whether there are more than are counted. */
export interface NewerCount {
  /** Undefined where they could not be counted. */
  count: number | undefined;
  more: boolean;
}

/** The newest end of what is loaded, and whether nothing was beyond it. */
export interface NewestEnd {
  cursor: string | null;
  reached: boolean;
}

interface UseNewerProps {
  question: ExploreQuestion;
  /** Undefined while nothing is loaded. */
  newest: NewestEnd | undefined;
  isFetching: boolean;
  following: RefObject<boolean>;
  /** Answers with the newest end it came to. */
  fetchNewer: () => Promise<NewestEnd>;
  refetch: () => void;
}

/** News: lets it in where the page follows, else counts what waits. */
export function useNewer({ question, newest, isFetching, following, fetchNewer, refetch }: UseNewerProps) {
  const [counted, setCounted] = useState<{ question: ExploreQuestion; waiting: NewerCount }>();
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

  useNews(
    'orgEvents',
    useThrottledCallback(() => setBehind(true), newsPause),
  );
  // Nothing is heard before the line is open.
  const connected = useConnection() === 'connected';
  useEffect(() => {
    if (connected) setBehind(true);
  }, [connected]);
  // A timeline that starts around an event, or whose newest end was let go, has newer ones from the start.
  const apart = newest !== undefined && !newest.reached;
  useEffect(() => {
    if (apart) setBehind(true);
  }, [apart]);
  useEffect(() => {
    if (!behind || isFetching || working) return;
    setBehind(false);
    setWorking(true);
    void catchUp().finally(() => setWorking(false));
  }, [behind, isFetching, working]);

  return { waiting, loadNewer };
}
