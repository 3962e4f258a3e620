import { type Tool, type ToolApproval, toolApprovalNames } from '@sightline/contract/tools/tools.ts';
import { Link } from '#ui/Link.tsx';
import { StatusDot, type Tone } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import s from './Tools.module.css';

const tones: Record<ToolApproval, Tone> = { approved: 'green', denied: 'red', unreviewed: 'gray' };

/** Shows the approval of a tool, its date, and the deciding policy. */
export const ApprovalCell = ({ approval: { state, since, versions, policy } }: Pick<Tool, 'approval'>) => (
  <div className={s.approval}>
    <StatusDot tone={tones[state]}>{toolApprovalNames[state]}</StatusDot>
    <p className="dim">
      {policy === null ? (
        <>
          Since <TimeAgo at={since} />
        </>
      ) : (
        <>
          <Link
            href={`/policies/${policy.id}`}
            title={`${policy.name}, version ${policy.version}${versions === null ? '' : `: ${versions.join(', ')}`}`}
          >
            {policy.name}
          </Link>{' '}
          v{policy.version}, <TimeAgo at={since} />
        </>
      )}
    </p>
  </div>
);
