import type { EvidenceRequest } from '@sightline/contract/compliance/auditor-portals.ts';
import type { ReactNode } from 'react';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { Tag } from '#ui/Tag.tsx';
import s from './Portals.module.css';
import { utcTimeText } from './portalLabels.ts';

/** Shows an evidence request and its answer. Renders `children` while the answer is missing. */
export const EvidenceRequestItem = ({ request, children }: { request: EvidenceRequest; children?: ReactNode }) => {
  const { control, text, requestedAt, answer, answeredAt } = request;
  return (
    <li className={s.request}>
      <div className={s.meta}>
        <StatusBadge tone={answer === null ? 'yellow' : 'green'}>{answer === null ? 'Open' : 'Answered'}</StatusBadge>
        {control !== null && <Tag>{control}</Tag>}
        <span>Requested on {utcTimeText(requestedAt)}</span>
      </div>
      <p className={s.words}>{text}</p>
      {answer === null ? (
        children
      ) : (
        <div className={s.answer}>
          <p className={s.words}>{answer}</p>
          {answeredAt !== null && <p className="dim">Answered on {utcTimeText(answeredAt)}</p>}
        </div>
      )}
    </li>
  );
};
