import { Tooltip } from '@mantine/core';
import type { MemberListItem } from '@sightline/contract/organization/members.ts';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import s from './Members.module.css';
import { statusLabels, statusTexts, statusTones } from './statuses.ts';

export const MemberStatusCell = ({ member: { status, delivery } }: { member: MemberListItem }) => (
  <span className={s.status}>
    <Tooltip label={statusTexts[status]} multiline maw={280}>
      <span>
        <StatusBadge tone={statusTones[status]}>{statusLabels[status]}</StatusBadge>
      </span>
    </Tooltip>
    {delivery === 'failed' && <span className={s.failed}>Email failed</span>}
  </span>
);
