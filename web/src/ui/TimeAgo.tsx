import { Tooltip } from '@mantine/core';
import { useNow } from './Clock.tsx';
import { absoluteTime, relativeDays, timeAgo } from './time.ts';

interface TimeAgoProps {
  /** ISO 8601. */
  at: string;
  /** Days within which the time is relative; `pullRequestRelativeDays` for pull requests. */
  within?: number;
}

/** A relative or absolute time; the tooltip shows the full time with its zone. */
export function TimeAgo({ at, within = relativeDays }: TimeAgoProps) {
  const now = useNow();
  const moment = Date.parse(at);
  return (
    <Tooltip label={absoluteTime(moment)}>
      <time className="num" dateTime={at}>
        {timeAgo(moment, now, within)}
      </time>
    </Tooltip>
  );
}
