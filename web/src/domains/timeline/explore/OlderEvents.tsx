import { Button } from '@mantine/core';
import { retentionText } from './retentionText.ts';
import s from './Timeline.module.css';
import type { Timeline } from './useTimeline.ts';

/** The oldest end, which loads more when it is near. The button is for keyboards and after a failure. */
export const OlderEvents = ({
  timeline: { archived, kept, hasOlder, loadingOlder, olderFailed, loadOlder },
}: {
  timeline: Timeline;
}) => (
  <div className={s.end}>
    {olderFailed && <p role="alert">Older events could not be loaded.</p>}
    {archived && hasOlder && (
      <p className="dim">{archived.isExternal ? 'From the archive, which takes longer.' : 'From the archive.'}</p>
    )}
    {hasOlder ? (
      <Button variant="default" loading={loadingOlder} onClick={loadOlder}>
        {olderFailed ? 'Try again' : 'Load older events'}
      </Button>
    ) : (
      <p className="dim">Start of the timeline. {kept && retentionText(kept)}</p>
    )}
  </div>
);
