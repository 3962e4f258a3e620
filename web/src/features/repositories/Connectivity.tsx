import { Tooltip } from '@mantine/core';
import type { Contributor } from '@sightline/contract/contributors.ts';
import { StatusDot } from '#ui/StatusBadge.tsx';
import { absoluteTime } from '#ui/time.ts';

/** Browser and editor extension, each with its word; the tooltip says when it was last heard of. */
export const Connectivity = ({ contributor }: { contributor: Contributor }) => (
  <>
    <Status
      name="Browser"
      connected={contributor.browser_status === 'connected'}
      heard={contributor.browser_timestamp}
      type={contributor.browser_type}
    />
    <Status
      name="Editor"
      connected={contributor.ide_status === 'connected'}
      heard={contributor.ide_timestamp}
      type={contributor.ide_type}
    />
  </>
);

interface StatusProps {
  name: string;
  connected: boolean;
  heard: string | null;
  type: string | null;
}

function Status({ name, connected, heard, type }: StatusProps) {
  const when = heard === null ? 'Never connected' : `Last heard of ${absoluteTime(Date.parse(heard))}`;
  return (
    <Tooltip label={type === null ? when : `${type}. ${when}`}>
      <div>
        <StatusDot tone={connected ? 'green' : 'gray'}>
          <span>
            {name} <span className={connected ? undefined : 'dim'}>{connected ? 'connected' : 'disconnected'}</span>
            <span className="vh">. {when}</span>
          </span>
        </StatusDot>
      </div>
    </Tooltip>
  );
}
