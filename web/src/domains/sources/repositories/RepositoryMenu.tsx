import { Menu } from '@mantine/core';
import type { RepositoryListItem } from '@sightline/contract/sources/repositories.ts';
import { IconArrowRight, IconBan } from '@tabler/icons-react';
import { useState } from 'react';
import { repositoryHref } from '#lib/repository-href.ts';
import { useManageIntegrationsRefusal } from '#lib/rights.ts';
import { DisabledReason } from '#ui/DisabledReason.tsx';
import { Link } from '#ui/Link.tsx';
import { RowMenu } from '#ui/RowMenu.tsx';
import { DisableRepository } from './DisableRepository.tsx';

export function RepositoryMenu({ repository }: { repository: RepositoryListItem }) {
  const reason = useManageIntegrationsRefusal();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <RowMenu label={`Actions for ${repository.fullName}`}>
        <Menu.Item
          component={Link}
          href={repositoryHref(repository)}
          leftSection={<IconArrowRight size={15} aria-hidden />}
        >
          Open
        </Menu.Item>
        <DisabledReason reason={reason}>
          <Menu.Item
            disabled={reason !== undefined}
            leftSection={<IconBan size={15} aria-hidden />}
            onClick={() => setAsking(true)}
          >
            Disable repository
          </Menu.Item>
        </DisabledReason>
      </RowMenu>
      <DisableRepository repository={repository} opened={asking} onClose={() => setAsking(false)} />
    </>
  );
}
