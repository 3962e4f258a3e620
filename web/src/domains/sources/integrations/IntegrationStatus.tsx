import type { Integration } from '@sightline/contract/sources/integrations.ts';
import { StatusDot, type Tone } from '#ui/StatusBadge.tsx';
import s from './Integrations.module.css';

const looks: Record<Integration['status'], { tone: Tone; word: string }> = {
  active: { tone: 'green', word: 'Active' },
  inactive: { tone: 'gray', word: 'Inactive' },
  error: { tone: 'red', word: 'Failing' },
};

/** Shows the status of an integration and its connected accounts. */
export const IntegrationStatus = ({ status, detail }: Pick<Integration, 'status' | 'detail'>) => (
  <StatusDot tone={looks[status].tone}>
    <span className={s.status} title={detail ?? undefined}>
      {looks[status].word}
      {detail && <span className="dim"> · {detail}</span>}
    </span>
  </StatusDot>
);
