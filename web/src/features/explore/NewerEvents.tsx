import { Button, UnstyledButton } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import s from './Timeline.module.css';
import { useInView } from './useInView.ts';
import type { Timeline } from './useTimeline.ts';

/** The newest end: more of them on a click, and the button that lets in what has come in the meantime. */
export function NewerEvents({ timeline, onRelease }: { timeline: Timeline; onRelease: () => void }) {
  const top = useInView<HTMLDivElement>(timeline.setAtTop, '0px');
  return (
    <>
      <div ref={top} className={s.top} />
      <div className={s.newer} role="status">
        {timeline.held > 0 && (
          <UnstyledButton className={s.pill ?? ''} onClick={onRelease}>
            <IconArrowUp size={14} stroke={2} aria-hidden />
            {timeline.held === 1 ? '1 new event' : `${timeline.held} new events`}
          </UnstyledButton>
        )}
      </div>
      {timeline.hasNewer && (
        <div className={s.end}>
          {timeline.newerFailed && <p role="alert">Newer events could not be loaded.</p>}
          <Button variant="default" loading={timeline.loadingNewer} onClick={timeline.loadNewer}>
            Load more events
          </Button>
        </div>
      )}
    </>
  );
}
