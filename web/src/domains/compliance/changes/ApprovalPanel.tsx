import type { Change } from '@sightline/contract/compliance/changes.ts';
import { Panel } from '#ui/Panel.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import s from './Changes.module.css';
import { approvalBadges } from './changeLabels.ts';

/** Shows whether a non-contributor approved the change after the last push, with the reasons. */
export const ApprovalPanel = ({ change: { approval, approvalReasons } }: { change: Change }) => (
  <Panel
    title="Independent approval"
    aside={<StatusBadge tone={approvalBadges[approval][0]}>{approvalBadges[approval][1]}</StatusBadge>}
  >
    <ul className={s.reasons}>
      {approvalReasons.map(({ code, text, about, remedy }) => (
        <li key={`${code} ${about}`}>
          {text}
          {remedy !== null && <span className="dim"> {remedy}</span>}
        </li>
      ))}
    </ul>
  </Panel>
);
