import { Button } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { Empty } from '#ui/Empty.tsx';
import { Link } from '#ui/Link.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';

/** Shown for an address without an enabled repository in this organization. */
export const RepositoryNotFound = ({ name }: { name?: string }) => (
  <>
    <PageHeader title="Repository not found" back={{ label: 'Repositories', href: '/repositories' }} />
    <Panel>
      <Empty
        kind="nothing-yet"
        title={name === undefined ? 'There is no repository at this address' : `${name} is not among your repositories`}
        icon={<IconMapOff size={19} stroke={1.6} />}
        action={
          <Button component={Link} href="/repositories">
            Go to Repositories
          </Button>
        }
      >
        It may be disabled, renamed, or part of another organization.
      </Empty>
    </Panel>
  </>
);
