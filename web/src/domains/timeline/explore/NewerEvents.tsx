import { UnstyledButton } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import s from './Timeline.module.css';
import { useInView } from './useInView.ts';
import type { NewerCount } from './useNewerEvents.ts';
import type { Timeline } from './useTimeline.ts';

interface NewerEventsProps {
  timeline: Timeline;
  /** Whether the newest event is visible. */
  atTop: boolean;
  onTop: (atTop: boolean) => void;
}

/**
 * The newest end of the list: a button to load new events, and one to scroll to the top. It floats and takes no space,
 * so that nothing moves when it appears.
 */
export function NewerEvents({ timeline, atTop, onTop }: NewerEventsProps) {
  const { waiting, newerFailed, loadNewer } = timeline;
  const top = useInView<HTMLDivElement>(onTop, '0px');
  const container = useRef<HTMLDivElement>(null);
  const [above, setAbove] = useState(false);
  // Only for requested loading: events that load automatically need no message.
  const [loading, setLoading] = useState(false);
  if (atTop && above) setAbove(false);
  const load = async () => {
    // The button disappears with the loaded events, so the focus moves to its container.
    container.current?.focus({ preventScroll: true });
    setLoading(true);
    await loadNewer();
    setLoading(false);
    setAbove(true);
  };
  return (
    <>
      <div ref={top} className={s.top} />
      <div className={s.newer} ref={container} tabIndex={-1}>
        <span role="status" className={s.pills}>
          {newerFailed && !loading && <span className={s.failure}>Newer events could not be loaded.</span>}
          {(waiting || loading || newerFailed) && (
            <UnstyledButton className={s.pill ?? ''} aria-disabled={loading} onClick={() => !loading && load()}>
              <IconArrowUp size={14} stroke={2} aria-hidden />
              {loading ? 'Loading…' : `Load more events${countOf(waiting)}`}
            </UnstyledButton>
          )}
          {above && !atTop && !waiting && !loading && (
            <UnstyledButton className={s.pill ?? ''} onClick={() => window.scrollTo({ top: 0 })}>
              <IconArrowUp size={14} stroke={2} aria-hidden />
              Newer events are above
            </UnstyledButton>
          )}
        </span>
      </div>
    </>
  );
}

const countOf = (waiting: NewerCount | undefined) =>
  waiting?.count === undefined ? '' : ` (${number.format(waiting.count)}${waiting.more ? '+' : ''})`;
const number = new Intl.NumberFormat('en-GB');
