import { getApprovalTrend } from '@sightline/contract/compliance/changes.ts';
import { getReadiness } from '@sightline/contract/compliance/control-runs.ts';
import type { TrendDays } from '@sightline/contract/core/trends.ts';
import { getFindingTrend } from '@sightline/contract/vulnerabilities/findings.ts';
import { useState } from 'react';
import { useFlag } from '#lib/flags.ts';
import { hasPermission, useSession } from '#lib/session.ts';
import { Panel } from '#ui/Panel.tsx';
import { SegmentedToggle } from '#ui/SegmentedToggle.tsx';
import { ApprovalChart } from './ApprovalChart.tsx';
import { FindingsChart } from './FindingsChart.tsx';
import { ReadinessChart } from './ReadinessChart.tsx';
import s from './Trends.module.css';

/** Shows how vulnerabilities, framework readiness and approvals develop, as far as the role of the member permits. */
export function TrendsPanel() {
  const session = useSession();
  const showsVulnerabilities = useFlag('vulnerabilities') && hasPermission(session, getFindingTrend.permission);
  const showsReadiness = hasPermission(session, getReadiness.permission);
  const showsApprovals = hasPermission(session, getApprovalTrend.permission);
  const [days, setDays] = useState<TrendDays>(30);
  if (!showsVulnerabilities && !showsReadiness && !showsApprovals) return null;
  return (
    <Panel
      title="Trends"
      aside={
        <SegmentedToggle
          label="Time range of trends"
          choices={[
            { value: '30', label: '30 days' },
            { value: '90', label: '90 days' },
          ]}
          value={days === 30 ? '30' : '90'}
          onChange={(value) => setDays(value === '30' ? 30 : 90)}
        />
      }
    >
      <div className={s.charts}>
        {showsVulnerabilities && <FindingsChart days={days} />}
        {showsReadiness && <ReadinessChart days={days} />}
        {showsApprovals && <ApprovalChart days={days} />}
      </div>
    </Panel>
  );
}
