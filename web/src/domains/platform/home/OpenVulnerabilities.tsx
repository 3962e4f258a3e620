import { getFindingStats } from '@sightline/contract/vulnerabilities/findings.ts';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { Link } from '#ui/Link.tsx';
import { Panel } from '#ui/Panel.tsx';
import { Severity } from '#ui/Severity.tsx';
import { severityLevels } from '#ui/severities.ts';
import s from './OpenVulnerabilities.module.css';

/** Counts open vulnerabilities by severity, each with a link. Renders nothing before the first scan. */
export function OpenVulnerabilities() {
  const { data } = useQuery({ ...endpointQuery(getFindingStats, {}), staleTime: 600_000, meta: { quiet: true } });
  if (!data || data.lastScanAt === null) return null;
  const maxCount = Math.max(1, ...severityLevels.map((level) => data.countBySeverity[level]));
  return (
    <Panel
      flush
      className={s.panel}
      title="Open vulnerabilities"
      aside={
        <Link className={s.all} href="/vulnerabilities">
          View all {number.format(data.total)}
        </Link>
      }
    >
      <ul className={s.levels}>
        {severityLevels.map((level) => (
          <li key={level}>
            <Link className={s.level} href={`/vulnerabilities?severity=${level}`}>
              <Severity level={level} />
              <span className={s.track} aria-hidden>
                <span
                  className={s.fill}
                  style={{
                    width: `${(data.countBySeverity[level] / maxCount) * 100}%`,
                    background: `var(--ui-${level}-bar)`,
                  }}
                />
              </span>
              <span className={s.count}>{number.format(data.countBySeverity[level])}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const number = new Intl.NumberFormat('en-GB');
