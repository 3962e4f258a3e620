import type { EvidenceRequest, EvidenceRequestState } from '@sightline/contract/compliance/portal-requests.ts';
import type { ReactNode } from 'react';
import { StatusBadge, type Tone } from '#ui/StatusBadge.tsx';
import { Tag } from '#ui/Tag.tsx';
import { type AttachmentEndpoints, Attachments } from './Attachments.tsx';
import s from './Portals.module.css';
import { dayText, utcTimeText } from './portalLabels.ts';

const stateBadges: Record<EvidenceRequestState, readonly [Tone, string]> = {
  open: ['yellow', 'Open'],
  answered: ['blue', 'Answered'],
  closed: ['green', 'Closed'],
};

interface RequestProps {
  request: EvidenceRequest;
  portalId: string;
  /** How messages of each side begin. */
  sides: Record<'auditor' | 'organization', string>;
  endpoints: AttachmentEndpoints;
  mayAttach: boolean;
  /** The actions of an open or answered request. */
  children?: ReactNode;
}

/** Shows an evidence request as a thread with its files. */
export function EvidenceRequestItem({ request, portalId, sides, endpoints, mayAttach, children }: RequestProps) {
  const { id, control, text, requestedAt, dueOn, state, isOverdue, isCarriedForward, messages, attachments } = request;
  const [tone, label] = stateBadges[state];
  const isClosed = state === 'closed';
  return (
    <li className={s.request}>
      <div className={s.meta}>
        <StatusBadge tone={isOverdue ? 'red' : tone}>{isOverdue ? 'Overdue' : label}</StatusBadge>
        {control !== null && <Tag>{control}</Tag>}
        {isCarriedForward && <Tag>Earlier period</Tag>}
        <span>Requested on {utcTimeText(requestedAt)}</span>
        {dueOn !== null && <span>Due on {dayText(dueOn)}</span>}
      </div>
      <p className={s.words}>{text}</p>
      {messages.map((message) => (
        <div key={message.id} className={s.answer}>
          <p className="dim">
            {sides[message.side]} on {utcTimeText(message.sentAt)}
          </p>
          <p className={s.words}>{message.text}</p>
        </div>
      ))}
      <Attachments
        portalId={portalId}
        endpoints={endpoints}
        files={attachments}
        place={mayAttach && !isClosed ? { request: id } : undefined}
        about={`the request of ${utcTimeText(requestedAt)}`}
      />
      {!isClosed && children}
    </li>
  );
}
