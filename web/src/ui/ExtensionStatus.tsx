import { Tooltip } from '@mantine/core';
import type { ExtensionPause } from '@sightline/contract/identity/extensions.ts';
import { programName } from '@sightline/contract/identity/extensions.ts';
import type { ExtensionStatus } from '@sightline/contract/tools/presence.ts';
import { BrandIcon } from './BrandIcon.tsx';
import s from './ExtensionStatus.module.css';
import { StatusDot, type Tone } from './StatusBadge.tsx';
import { TimeAgo } from './TimeAgo.tsx';

/** The status of one extension of a person. */
interface ExtensionLine {
  /** 'Browser', 'Editor'. */
  name: string;
  state: ExtensionState;
  /** When it was last seen. */
  seen: string | null;
  /** The last seen program: `chrome`, `vscode`. */
  program: string | null;
  /** Undefined unless paused. */
  paused: ExtensionPause | undefined;
}

type ExtensionState = 'connected' | 'paused' | 'disconnected';

const stateBadges: Record<ExtensionState, readonly [Tone, string]> = {
  connected: ['green', 'Connected'],
  paused: ['yellow', 'Paused'],
  disconnected: ['gray', 'Disconnected'],
};

/**
 * The status of the browser and the editor extension of a person, in a table cell: for each the state, the last seen
 * program, and the time. Used by the contributors of a repository.
 */
export const ExtensionStatusCell = ({ status }: { status: ExtensionStatus }) => (
  <>
    {linesOf(status).map((line) => (
      <ExtensionStatusLine key={line.name} {...line} />
    ))}
  </>
);

/** The status of both extensions as list items with names and pauses. Used by the page of the own profile. */
export const ExtensionStatusItems = ({ status }: { status: ExtensionStatus }) =>
  linesOf(status)
    .toReversed()
    .map(({ name, state, seen, program, paused }) => (
      <li key={name}>
        <div className={s.who}>
          {program !== null && <BrandIcon name={program} size={20} />}
          <div>
            <p className={s.name}>{name} extension</p>
            <p className={s.seen}>
              {program !== null && `${programName(program)}. `}
              {paused ? (
                <PausedSince {...paused} />
              ) : seen === null ? (
                'Never connected'
              ) : (
                <>
                  Last seen <TimeAgo at={seen} />
                </>
              )}
            </p>
          </div>
        </div>
        <StatusDot tone={stateBadges[state][0]}>{stateBadges[state][1]}</StatusDot>
      </li>
    ));

const linesOf = (status: ExtensionStatus): ExtensionLine[] => [
  {
    name: 'Browser',
    state: stateOf(status.browser_status, status.browser_paused),
    seen: status.browser_timestamp,
    program: status.browser_type,
    paused: status.browser_paused,
  },
  {
    name: 'Editor',
    state: stateOf(status.ide_status, status.ide_paused),
    seen: status.ide_timestamp,
    program: status.ide_type,
    paused: status.ide_paused,
  },
];

const stateOf = (status: ExtensionStatus['ide_status'], paused: ExtensionPause | undefined): ExtensionState =>
  status === 'disconnected' && paused ? 'paused' : status;

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

const ExtensionStatusLine = ({ name, state, seen, program }: ExtensionLine) => (
  <div className={s.short}>
    <Tooltip label={program === null ? 'Never connected' : programName(program)}>
      <span className={s.short}>
        <StatusDot tone={stateBadges[state][0]}>
          <span>
            {name}{' '}
            <span className={state === 'connected' ? undefined : 'dim'}>{stateBadges[state][1].toLowerCase()}</span>
            <span className="vh">
              {program === null ? ', never connected' : `, ${programName(program)}, last seen `}
            </span>
          </span>
        </StatusDot>
        {program !== null && (
          <span className={s.mark}>
            <BrandIcon name={program} size={13} />
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
