import { Tooltip } from '@mantine/core';
import type { ExtensionPause } from '@sightline/contract/identity/extensions.ts';
import { programName } from '@sightline/contract/identity/extensions.ts';
import type { ExtensionStatus } from '@sightline/contract/tools/presence.ts';
import { BrandIcon } from './BrandIcon.tsx';
import s from './ExtensionStatus.module.css';
import { StatusDot } from './StatusBadge.tsx';
import { TimeAgo } from './TimeAgo.tsx';

interface ConnectivitySide {
  /** 'Browser', 'Editor'. */
  name: string;
  connected: boolean;
  /** When it was last seen. */
  seen: string | null;
  /** The last seen program. */
  type: string | null;
  /** Undefined unless paused. */
  paused: ExtensionPause | undefined;
}

/** Browser and editor extension in a cell: for each the status, the last seen program, and the time. */
export const Connectivity = ({ status }: { status: ExtensionStatus }) => (
  <>
    {sidesOf(status).map((side) => (
      <Short key={side.name} {...side} />
    ))}
  </>
);

/** The same in detail, as list items. */
export const ConnectivityItems = ({ status }: { status: ExtensionStatus }) =>
  sidesOf(status)
    .toReversed()
    .map(({ name, connected, seen, type, paused }) => (
      <li key={name}>
        <div className={s.who}>
          {type !== null && <BrandIcon name={type} size={20} />}
          <div>
            <p className={s.name}>{name} extension</p>
            <p className={s.seen}>
              {type !== null && `${programName(type)}. `}
              {paused ? (
                <PausedSince {...paused} />
              ) : seen === null ? (
                'Never seen'
              ) : (
                <>
                  Last seen <TimeAgo at={seen} />
                </>
              )}
            </p>
          </div>
        </div>
        <StatusDot tone={connected ? 'green' : 'yellow'}>
          {connected ? 'Connected' : paused ? 'Paused' : 'Not connected'}
        </StatusDot>
      </li>
    ));

const sidesOf = (status: ExtensionStatus): ConnectivitySide[] => [
  {
    name: 'Browser',
    connected: status.browser_status === 'connected',
    seen: status.browser_timestamp,
    type: status.browser_type,
    paused: status.browser_paused,
  },
  {
    name: 'Editor',
    connected: status.ide_status === 'connected',
    seen: status.ide_timestamp,
    type: status.ide_type,
    paused: status.ide_paused,
  },
];

const wordOf = (connected: boolean, paused: ExtensionPause | undefined): string =>
  connected ? 'connected' : paused ? 'paused' : 'disconnected';

const PausedSince = ({ since, until }: ExtensionPause) => (
  <>
    Paused since <TimeAgo at={since} />
    {until !== null && (
      <>
        , until <TimeAgo at={until} />
      </>
    )}
  </>
);

const Short = ({ name, connected, seen, type, paused }: ConnectivitySide) => (
  <div className={s.short}>
    <Tooltip label={type === null ? 'Never connected' : programName(type)}>
      <span className={s.short}>
        <StatusDot tone={connected ? 'green' : 'gray'}>
          <span>
            {name} <span className={connected ? undefined : 'dim'}>{wordOf(connected, paused)}</span>
            <span className="vh">{type === null ? ', never connected' : `, ${programName(type)}, last seen `}</span>
          </span>
        </StatusDot>
        {type !== null && (
          <span className={s.mark}>
            <BrandIcon name={type} size={13} />
          </span>
        )}
      </span>
    </Tooltip>
    {seen !== null && (
      <span className={s.seen}>
        <TimeAgo at={seen} />
      </span>
    )}
  </div>
);
