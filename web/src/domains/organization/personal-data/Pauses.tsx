import { programName } from '@sightline/contract/identity/extensions.ts';
import type { Pause } from '@sightline/contract/organization/personal-data.ts';
import { Panel } from '#ui/Panel.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import s from './Collected.module.css';

/** Lists the pauses, in which the extensions recorded nothing. */
export const RecordingPauses = ({ pauses }: { pauses: readonly Pause[] }) => (
  <Panel title="Pauses">
    {pauses.length === 0 ? (
      <p className={s.text}>
        You never paused your extensions. While paused, they record nothing except the pause. Pause them in their own
        menu.
      </p>
    ) : (
      <ul className={s.pauses}>
        {pauses.map(({ program, from, to }) => (
          <li key={`${program} ${from}`} data-open={to === null || undefined}>
            <span className={s.gap} aria-hidden />
            <span>
              <strong>{programName(program)}</strong>: nothing was recorded from <TimeAgo at={from} />{' '}
              {to === null ? (
                <>on. Still paused.</>
              ) : (
                <>
                  to <TimeAgo at={to} />, for {lengthOf(from, to)}.
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    )}
  </Panel>
);

/** '3 hours', '2 days'. */
function lengthOf(from: string, to: string): string {
  const minutes = Math.max(1, Math.round((Date.parse(to) - Date.parse(from)) / 60_000));
  const [n, unit] =
    minutes < 120
      ? [minutes, 'minute']
      : minutes < 2880
        ? [Math.round(minutes / 60), 'hour']
        : [Math.round(minutes / 1440), 'day'];
  return `${n} ${unit}${n === 1 ? '' : 's'}`;
}
