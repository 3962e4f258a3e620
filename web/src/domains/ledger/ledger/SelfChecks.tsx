import type { Ledger } from '@sightline/contract/ledger/ledger.ts';
import { Empty } from '#ui/Empty.tsx';
import { Panel } from '#ui/Panel.tsx';
import { StatusDot } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { integerFormat } from './anchorLabels.ts';
import s from './Ledger.module.css';

/** Lists the results of the nightly integrity checks, newest first. */
export function SelfChecks({ ledger: { checks } }: { ledger: Ledger }) {
  return (
    <Panel title="Self-checks" flush>
      {checks.length === 0 ? (
        <Empty kind="nothing-yet" title="Not checked">
          Every night all entries are hashed again and compared with the tree, the checkpoints, the anchors and the
          recorded data.
        </Empty>
      ) : (
        <ul className={s.rows}>
          {checks.map(({ at, size, problems }) => (
            <li key={at}>
              {problems === 0 ? (
                <StatusDot tone="green">All {integerFormat.format(size)} entries verified</StatusDot>
              ) : (
                <StatusDot tone="red">
                  {integerFormat.format(problems)} of {integerFormat.format(size)} entries failed
                </StatusDot>
              )}
              <span className="dim">
                <TimeAgo at={at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
