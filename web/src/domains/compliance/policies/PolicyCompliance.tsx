import type { PolicyStatus } from '@sightline/contract/compliance/policies.ts';
import { Link } from '#ui/Link.tsx';
import { Panel } from '#ui/Panel.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { VerdictBar } from '#ui/VerdictBar.tsx';
import { statusBadges } from '#ui/verdicts.ts';
import s from './Policies.module.css';

/** Shows the compliance with a policy by control. Each control links to its page with the details. */
export const PolicyCompliance = ({ status }: { status: PolicyStatus | undefined }) => (
  <Panel title="Compliance" flush>
    {status && status.controls.length > 0 ? (
      <ul className={s.kept}>
        {status.controls.map(({ control, status: one, counts }) => (
          <li key={control}>
            <Link className="link" href={`/evidence/controls/${control}`}>
              {control}
            </Link>
            <VerdictBar counts={counts} />
            <StatusBadge tone={statusBadges[one][0]}>{statusBadges[one][1]}</StatusBadge>
          </li>
        ))}
      </ul>
    ) : (
      <p className={s.none}>
        Its controls are not evaluated yet. They are evaluated every night, or on request on the page{' '}
        <Link className="link" href="/evidence">
          Overview
        </Link>
        .
      </p>
    )}
  </Panel>
);
