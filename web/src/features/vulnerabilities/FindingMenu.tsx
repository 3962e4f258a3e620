import { Menu } from '@mantine/core';
import type { Finding } from '@sightline/contract/findings.ts';
import { IconArrowRight, IconLink, IconMail, IconMailOpened } from '@tabler/icons-react';
import { Link } from '#ui/Link.tsx';
import { RowMenu } from '#ui/RowMenu.tsx';
import { toast } from '#ui/toast.ts';
import { copyLink } from './copyLink.ts';
import { type FindingQuery, findingHref } from './findingsQuery.ts';
import { useReadMark } from './useReadMark.ts';

export function FindingMenu({ finding, list }: { finding: Finding; list: FindingQuery }) {
  const mark = useReadMark();
  const { id, title, unread } = finding;
  const Envelope = unread ? IconMailOpened : IconMail;
  return (
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
          mark.mutate(
            { id, read: unread },
            { onError: () => toast.error(`“${title}” could not be marked. Try again.`) },
          )
        }
      >
        {unread ? 'Mark as read' : 'Mark as unread'}
      </Menu.Item>
    </RowMenu>
  );
}
