import { getControlsOverview } from '@sightline/contract/compliance/control-runs.ts';
import { useQuery } from '@tanstack/react-query';
import { ask } from '#lib/api.ts';
import { Link } from '#ui/Link.tsx';
import { Panel } from '#ui/Panel.tsx';
import { StatusDot, type Tone } from '#ui/StatusBadge.tsx';
import s from './Evidence.module.css';

const standings = [
  ['not_met', 'red', 'Failing'],
  ['gap', 'yellow', 'Missing evidence'],
  ['met', 'green', 'Passing'],
] as const satisfies readonly (readonly [string, Tone, string])[];

/** How the controls stand this quarter, each leading to its list. Nothing before the first judging. */
export function EvidenceStanding() {
  const { data } = useQuery({ ...ask(getControlsOverview, {}), staleTime: 600_000, meta: { quiet: true } });
  if (!data || data.asOf === null) return null;
  // What only has to be waited for is nothing that anybody could bring.
  const missing = data.missing.filter(({ source }) => source !== 'time').length;
  return (
    <Panel
      flush
      className={s.standing}
      title="Controls this quarter"
      aside={
        <Link className={s.all} href="/evidence">
          View evidence
        </Link>
      }
    >
      <ul className={s.levels}>
        {standings.map(([status, tone, words]) => (
          <li key={status}>
            <Link className={s.level} href={`/evidence?status=${status}`}>
              <StatusDot tone={tone}>{words}</StatusDot>
              <span className={s.count}>{data.counts[status]}</span>
            </Link>
          </li>
        ))}
      </ul>
      {missing > 0 && (
        <p className={s.missing}>
          {missing === 1 ? '1 data source is not connected' : `${missing} data sources are not connected`}
        </p>
      )}
    </Panel>
  );
}
