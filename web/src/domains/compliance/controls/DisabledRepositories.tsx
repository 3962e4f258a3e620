import type { UnrecordedRepositories } from '@sightline/contract/compliance/control-runs.ts';
import { Panel } from '#ui/Panel.tsx';
import s from './Evidence.module.css';

/** Lists the repositories that were disabled at some time of the period. Renders nothing if there are none. */
export function DisabledRepositories({ unrecorded }: { unrecorded: UnrecordedRepositories | null | undefined }) {
  if (!unrecorded || unrecorded.total === 0) return null;
  const { total, repositories } = unrecorded;
  return (
    <Panel
      title="Disabled repositories"
      aside={<span className="dim">{total === 1 ? '1 repository' : `${number.format(total)} repositories`}</span>}
    >
      <p className="dim">
        Sightline records only enabled repositories. What happened in these repositories while they were disabled is not
        evaluated.
      </p>
      <ul className={s.disabled} aria-label="Disabled repositories">
        {repositories.map(({ id, name, recorded }) => (
          <li key={id}>
            <span>{name}</span> <span className="dim">{recordedWords(recorded)}</span>
          </li>
        ))}
      </ul>
      {total > repositories.length && (
        <p className="dim">{number.format(total - repositories.length)} more are listed in every snapshot.</p>
      )}
    </Panel>
  );
}

function recordedWords(recorded: UnrecordedRepositories['repositories'][number]['recorded']): string {
  if (recorded.length === 0) return 'Not recorded';
  const spans = recorded.map(({ from, to }) =>
    [from && `from ${time.format(new Date(from))}`, to && `until ${time.format(new Date(to))}`]
      .filter(Boolean)
      .join(' '),
  );
  return `Recorded ${spans.join(', ')} (UTC)`;
}

const number = new Intl.NumberFormat('en-GB');
const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });
