import { getControlsOverview } from '@sightline/contract/compliance/control-runs.ts';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { Link } from '#ui/Link.tsx';
import { Panel } from '#ui/Panel.tsx';
import { StatusDot } from '#ui/StatusBadge.tsx';
import { statusBadges } from '#ui/verdicts.ts';
import s from './HomePanels.module.css';

const shown = ['failing', 'missing_evidence', 'passing'] as const;

/** The number of controls by status in this quarter, each with a link to its list. Empty before the first evaluation. */
export function ControlStatusPanel() {
  const { data } = useQuery({ ...endpointQuery(getControlsOverview, {}), staleTime: 600_000, meta: { quiet: true } });
  if (!data || data.asOf === null) return null;
  // Sources that only need time cannot be connected.
  const missing = data.missing.filter(({ source }) => source !== 'time').length;
  return (
    <Panel
      flush
      title="Controls this quarter"
      aside={
        <Link className={s.all} href="/evidence">
          View evidence
        </Link>
      }
    >
      <ul className={s.rows}>
        {shown.map((status) => (
          <li key={status}>
            <Link className={s.row} href={`/evidence?status=${status}`}>
              <StatusDot tone={statusBadges[status][0]}>{statusBadges[status][1]}</StatusDot>
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
