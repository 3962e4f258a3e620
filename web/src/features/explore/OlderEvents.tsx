import { Button } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import s from './Timeline.module.css';
import { useInView } from './useInView.ts';
import type { Timeline } from './useTimeline.ts';

/** The oldest end: loads on as it comes near; the button is for keyboards and for after a failure. */
export function OlderEvents({ timeline }: { timeline: Timeline }) {
  const { hasOlder, loadingOlder, olderFailed } = timeline;
  const [near, setNear] = useState(false);
  const end = useInView<HTMLDivElement>(setNear, '1200px');
  const load = useEffectEvent(timeline.loadOlder);
  const wanted = near && hasOlder && !loadingOlder && !olderFailed;
  useEffect(() => {
    if (wanted) load();
  }, [wanted]);
  return (
    <div ref={end} className={s.end}>
      {olderFailed && <p role="alert">Older events could not be loaded.</p>}
      {hasOlder ? (
        <Button variant="default" loading={loadingOlder} onClick={timeline.loadOlder}>
          {olderFailed ? 'Try again' : 'Load older events'}
        </Button>
      ) : (
        <p className="dim">This is where the timeline begins.</p>
      )}
    </div>
  );
}
