import type { DigestCounts } from '@sightline/contract/compliance/digests.ts';
import { Panel } from '#ui/Panel.tsx';
import s from './Digests.module.css';
import { digestCountLabels } from './digestLabels.ts';

const order = Object.keys(digestCountLabels) as (keyof DigestCounts)[];

/** Shows the activity of the week as numbers. Zeros are dimmed. */
export const DigestCountsPanel = ({ counts }: { counts: DigestCounts }) => (
  <Panel>
    <dl className={s.counts}>
      {order.map((name) => (
        <div key={name} data-none={counts[name] === 0 || undefined}>
          <dt>{digestCountLabels[name]}</dt>
          <dd className="num">{new Intl.NumberFormat('en-GB').format(counts[name])}</dd>
        </div>
      ))}
    </dl>
  </Panel>
);
