import { Button } from '@mantine/core';
import type { FindingDetail } from '@sightline/contract/vulnerabilities/findings.ts';
import type { WaiverListItem, WaiverWithActions } from '@sightline/contract/vulnerabilities/waivers.ts';
import { IconCalendarClock, IconCircleOff } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useSession } from '#lib/session.ts';
import { DisabledReason } from '#ui/DisabledReason.tsx';
import { formatDay } from '#ui/days.ts';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { WaiverDialog } from '../../waivers/WaiverDialog.tsx';
import type { WaiverAction } from '../../waivers/waiver-action.ts';
import s from './Triage.module.css';

/** Shows the current or requested decision about a finding. Renders nothing without a decision. */
export function DecisionNotice({ finding }: { finding: FindingDetail }) {
  const { dismissal, waivers } = finding;
  const current = waivers.find(({ state }) => state === 'requested' || state === 'approved');
  if (current) return <WaiverNotice finding={finding} waiver={current} />;
  if (!dismissal) return null;
  return (
    <Notice icon={<IconCircleOff size={18} stroke={1.7} />} comment={dismissal.comment}>
      {dismissal.by.kind === 'scanner' ? 'Suppressed in the scanner' : 'Dismissed'}
      {dismissal.reason && (
        <>
          {' '}
          as <b>{dismissal.reason.toLowerCase()}</b>
        </>
      )}{' '}
      by <b>{dismissal.by.name}</b>, <TimeAgo at={dismissal.at} />.
    </Notice>
  );
}

/** A waiver request or an active waiver, with its actions. */
function WaiverNotice({ finding, waiver }: { finding: FindingDetail; waiver: WaiverWithActions }) {
  const [action, setAction] = useState<WaiverAction>();
  const { allowed, requestedBy, until } = waiver;
  const isPending = waiver.state === 'requested';
  const isOwn = useSession()?.accountId === requestedBy.id;
  const start = (kind: 'approve' | 'deny' | 'end') => setAction({ kind, waiver: toListItem(finding, waiver) });
  // Owners also have the menu with all decisions.
  const isOnlyAction = allowed.decide && !finding.allowed.merge;
  const reason = isOwn ? 'You requested it. Another person must decide' : undefined;
  return (
    <Notice
      icon={<IconCalendarClock size={18} stroke={1.7} />}
      comment={waiver.reason}
      actions={
        <>
          {isPending && (allowed.decide || isOwn) && (
            <DisabledReason reason={reason}>
              <Button variant={isOnlyAction ? 'filled' : 'default'} disabled={isOwn} onClick={() => start('approve')}>
                Approve
              </Button>
            </DisabledReason>
          )}
          {allowed.decide && (
            <Button variant="default" onClick={() => start('deny')}>
              Deny
            </Button>
          )}
          {(allowed.withdraw || allowed.revoke) && (
            <Button variant="default" onClick={() => start('end')}>
              {isPending ? 'Withdraw' : 'Revoke'}
            </Button>
          )}
        </>
      }
    >
      {isPending ? (
        <>
          <b>{isOwn ? 'You' : requestedBy.name}</b> requested a waiver until <b>{formatDay(until)}</b>{' '}
          <TimeAgo at={waiver.requestedAt} />.{' '}
          {!allowed.decide && 'An Account Owner or Digest Reviewer must approve it.'}
        </>
      ) : (
        <>
          {finding.status === 'fixed' ? 'It is fixed. If it reappears, it is waived' : 'Waived'} until{' '}
          <b>{formatDay(until)}</b>: requested by <b>{requestedBy.name}</b>
          {waiver.decidedBy && (
            <>
              , approved by <b>{waiver.decidedBy.name}</b>
            </>
          )}
          .
        </>
      )}
      <WaiverDialog action={action} onClose={() => setAction(undefined)} />
    </Notice>
  );
}

const toListItem = ({ id, title, severity, repository }: FindingDetail, waiver: WaiverWithActions): WaiverListItem => ({
  ...waiver,
  control: 'VUL-01',
  subject: id,
  finding: { id, title, severity },
  repository,
});

interface NoticeProps {
  icon: ReactNode;
  comment: string;
  actions?: ReactNode;
  children: ReactNode;
}

const Notice = ({ icon, comment, actions, children }: NoticeProps) => (
  <section className={s.notice} aria-label="Decision">
    <span className={s.noticeIcon} aria-hidden>
      {icon}
    </span>
    <div className={s.noticeText}>
      <p>{children}</p>
      {comment && <q className={s.quote}>{comment}</q>}
    </div>
    {actions && <div className={s.noticeActions}>{actions}</div>}
  </section>
);
