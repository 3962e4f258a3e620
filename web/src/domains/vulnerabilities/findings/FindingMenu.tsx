import { Menu } from '@mantine/core';
import type { Finding } from '@sightline/contract/vulnerabilities/findings.ts';
import {
  IconArrowBackUp,
  IconArrowRight,
  IconCalendarClock,
  IconCircleOff,
  IconLink,
  IconMail,
  IconMailOpened,
  IconTag,
} from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from '#ui/Link.tsx';
import { RowMenu } from '#ui/RowMenu.tsx';
import { toast } from '#ui/toast.ts';
import { copyLink } from './copyLink.ts';
import { type FindingQuery, findingHref } from './findingsQuery.ts';
import { LazyTriageDialog } from './LazyTriageDialog.tsx';
import type { TriageRequest } from './triage/targets.ts';
import { useMarkAsRead } from './useMarkAsRead.ts';
import { useTriageRights } from './useTriageRights.ts';

export function FindingMenu({ finding, list }: { finding: Finding; list: FindingQuery }) {
  const mark = useMarkAsRead();
  const rights = useTriageRights();
  const [triage, setTriage] = useState<TriageRequest>();
  const { id, title, unread, status } = finding;
  const ask = (kind: 'dismiss' | 'reopen' | 'request') => setTriage({ kind, targets: [finding] });
  const decided = status === 'dismissed' || status === 'exception';
  const Envelope = unread ? IconMailOpened : IconMail;
  return (
    <>
      <RowMenu label={`Actions for ${title}`}>
        <Menu.Item component={Link} href={findingHref(id, list)} leftSection={<IconArrowRight size={15} aria-hidden />}>
          Open details
        </Menu.Item>
        <Menu.Item leftSection={<IconLink size={15} aria-hidden />} onClick={() => void copyLink(id)}>
          Copy link
        </Menu.Item>
        <Menu.Item
          leftSection={<Envelope size={15} aria-hidden />}
          onClick={() =>
            mark.mutate({ id, read: unread }, { onError: () => toast.error(`“${title}” was not updated. Try again.`) })
          }
        >
          {unread ? 'Mark as read' : 'Mark as unread'}
        </Menu.Item>
        {(rights.decide || (rights.request && status !== 'fixed' && !decided)) && <Menu.Divider />}
        {rights.decide && (
          <Menu.Item
            leftSection={<IconTag size={15} aria-hidden />}
            onClick={() => setTriage({ kind: 'edit', targets: [finding] })}
          >
            Assign and label
          </Menu.Item>
        )}
        {rights.decide && status === 'open' && (
          <Menu.Item leftSection={<IconCircleOff size={15} aria-hidden />} onClick={() => ask('dismiss')}>
            Dismiss
          </Menu.Item>
        )}
        {rights.request && status === 'open' && (
          <Menu.Item leftSection={<IconCalendarClock size={15} aria-hidden />} onClick={() => ask('request')}>
            Request waiver
          </Menu.Item>
        )}
        {rights.decide && decided && (
          <Menu.Item leftSection={<IconArrowBackUp size={15} aria-hidden />} onClick={() => ask('reopen')}>
            Reopen
          </Menu.Item>
        )}
      </RowMenu>
      <LazyTriageDialog triage={triage} onClose={() => setTriage(undefined)} />
    </>
  );
}
