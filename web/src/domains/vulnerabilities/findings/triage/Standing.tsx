import { Button } from '@mantine/core';
import type { FindingDetail } from '@sightline/contract/vulnerabilities/findings.ts';
import { IconCalendarClock, IconCircleOff } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useSession } from '#lib/session.ts';
import { DisabledReason } from '#ui/DisabledReason.tsx';
import { formatDay } from '#ui/days.ts';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import s from './Triage.module.css';
import { TriageDialog } from './TriageDialog.tsx';
import type { TriageRequest, WaiverRequest } from './targets.ts';

/** Shows the current or requested decision about a finding. Renders nothing without a decision. */
export function DecisionNotice({ finding }: { finding: FindingDetail }) {
  const { status, dismissal, exceptions } = finding;
  const waiting = exceptions.find(({ state }) => state === 'requested');
  const approved = exceptions.find(({ state }) => state === 'approved');
  if (waiting) return <PendingRequest finding={finding} exception={waiting} />;
  if (approved) {
    return (
      <Notice icon={<IconCalendarClock size={18} stroke={1.7} />} comment={approved.comment}>
        {status === 'fixed' ? 'It is fixed. If it reappears, it is waived' : 'Waived'} until{' '}
        <b>{formatDay(approved.until)}</b>: requested by <b>{approved.requestedBy.name}</b>, approved by{' '}
        <b>{approved.decidedBy?.name ?? 'somebody'}</b>.
      </Notice>
    );
  }
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

function PendingRequest({ finding, exception }: { finding: FindingDetail; exception: WaiverRequest }) {
  const { allowed } = finding;
  const [triage, setTriage] = useState<TriageRequest>();
  const own = useSession()?.accountId === exception.requestedBy.id;
  const ask = (kind: 'approve' | 'refuse' | 'withdraw') => setTriage({ kind, target: finding, exception });
  // Owners also have the menu with all decisions.
  const isOnlyAction = allowed.decideException && !allowed.merge;
  const reason = own ? 'You requested it. Another person must decide' : undefined;
  return (
    <Notice
      icon={<IconCalendarClock size={18} stroke={1.7} />}
      comment={exception.comment}
      actions={
        <>
          {(allowed.decideException || own) && (
            <>
              <DisabledReason reason={reason}>
                <Button variant={isOnlyAction ? 'filled' : 'default'} disabled={own} onClick={() => ask('approve')}>
                  Approve
                </Button>
              </DisabledReason>
              {!own && (
                <Button variant="default" onClick={() => ask('refuse')}>
                  Deny
                </Button>
              )}
            </>
          )}
          {allowed.withdrawException && (
            <Button variant="default" onClick={() => ask('withdraw')}>
              Withdraw
            </Button>
          )}
        </>
      }
    >
      <b>{own ? 'You' : exception.requestedBy.name}</b> requested a waiver until <b>{formatDay(exception.until)}</b>{' '}
      <TimeAgo at={exception.requestedAt} />.{' '}
      {!allowed.decideException && 'An Account Owner or Digest Reviewer must approve it.'}
      <TriageDialog triage={triage} onClose={() => setTriage(undefined)} />
    </Notice>
  );
}

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
