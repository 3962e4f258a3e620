import { Tooltip } from '@mantine/core';
import { useNow } from './Clock.tsx';
import { dueText } from './dueText.ts';
import { StatusDot } from './StatusBadge.tsx';
import { absoluteTime } from './time.ts';

/** The time remaining until a deadline: '3 days left', '2 days overdue'. */
export function DueTime({ at }: { at: string }) {
  const now = useNow();
  const dueAt = Date.parse(at);
  return (
    <Tooltip label={absoluteTime(dueAt)}>
      <time dateTime={at}>
        <StatusDot tone={dueAt < now ? 'red' : dueAt < now + soon ? 'orange' : 'gray'}>{dueText(dueAt, now)}</StatusDot>
      </time>
    </Tooltip>
  );
}

const soon = 3 * 86_400_000;
