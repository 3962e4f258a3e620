import { Tooltip } from '@mantine/core';
import { programName } from '@sightline/contract/extensions.ts';
import type { ExtensionStatus } from '@sightline/contract/presence.ts';
import { BrandIcon } from './BrandIcon.tsx';
import s from './Connectivity.module.css';
import { StatusDot } from './StatusBadge.tsx';
import { TimeAgo } from './TimeAgo.tsx';
import { absoluteTime } from './time.ts';

interface Side {
  /** 'Browser', 'Editor'. */
  name: string;
  connected: boolean;
  /** When it was last seen. */
  seen: string | null;
  /** The program it was last seen in. */
  type: string | null;
}

/** Browser and editor extension in a cell: the program's mark, and a word for each; the tooltip says when it was seen. */
export const Connectivity = ({ status }: { status: ExtensionStatus }) => (
  <>
    {sidesOf(status).map((side) => (
      <Short key={side.name} {...side} />
    ))}
  </>
);

/** The same at length, as the items of a list. */
export const ConnectivityItems = ({ status }: { status: ExtensionStatus }) =>
  sidesOf(status)
    .toReversed()
    .map(({ name, connected, seen, type }) => (
      <li key={name}>
        <div className={s.who}>
          {type !== null && <BrandIcon name={type} size={20} />}
          <div>
            <p className={s.name}>{name} extension</p>
            <p className={s.seen}>
              {type !== null && `${programName(type)}. `}
              {seen === null ? (
                'Never seen'
              ) : (
                <>
                  Last seen <TimeAgo at={seen} />
                </>
              )}
            </p>
          </div>
        </div>
        <StatusDot tone={connected ? 'green' : 'yellow'}>{connected ? 'Connected' : 'Not connected'}</StatusDot>
      </li>
    ));

const sidesOf = (status: ExtensionStatus): Side[] => [
  {
    name: 'Browser',
    connected: status.browser_status === 'connected',
    seen: status.browser_timestamp,
    type: status.browser_type,
  },
  { name: 'Editor', connected: status.ide_status === 'connected', seen: status.ide_timestamp, type: status.ide_type },
];

function Short({ name, connected, seen, type }: Side) {
  const when = seen === null ? 'Never connected' : `Last seen ${absoluteTime(Date.parse(seen))}`;
  const words = type === null ? when : `${programName(type)}. ${when}`;
  return (
    <Tooltip label={words}>
      <div className={s.short}>
        <StatusDot tone={connected ? 'green' : 'gray'}>
          <span>
            {name} <span className={connected ? undefined : 'dim'}>{connected ? 'connected' : 'disconnected'}</span>
            <span className="vh">. {words}</span>
          </span>
        </StatusDot>
        {type !== null && (
          <span className={s.mark}>
            <BrandIcon name={type} size={13} />
          </span>
        )}
      </div>
    </Tooltip>
  );
}
