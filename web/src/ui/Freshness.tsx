import { useNow } from './Clock.tsx';
import { freshnessOf } from './freshnessOf.ts';
import { StatusDot } from './StatusBadge.tsx';
import { TimeAgo } from './TimeAgo.tsx';

/** How long ago a tool was last seen: dot, word and time. `at` is ISO 8601. */
export function Freshness({ at }: { at: string }) {
  const { tone, word } = freshnessOf(Date.parse(at), useNow());
  return (
    <StatusDot tone={tone}>
      <span>
        {word}{' '}
        <span className="dim">
          · <TimeAgo at={at} />
        </span>
      </span>
    </StatusDot>
  );
}
