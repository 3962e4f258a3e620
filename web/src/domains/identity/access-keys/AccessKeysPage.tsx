import { Button } from '@mantine/core';
import { type AccessKey, listAccessKeys, revokeAccessKey } from '@sightline/contract/identity/access-keys.ts';
import { getOrganization } from '@sightline/contract/organization/organizations.ts';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, endpointQuery } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { toast } from '#ui/toast.ts';
import { ListTable } from '../../timeline/views/ListTable.tsx';
import { accessKeyColumns } from './accessKeyColumns.tsx';
import { CreateKey } from './CreateKey.tsx';

/** Lists the access keys of builds, readers of the ledger and agents. Owners create and revoke them. */
export function AccessKeysPage() {
  const list = usePagedList(listAccessKeys);
  const archived = useQuery({ ...endpointQuery(getOrganization, {}), meta: { quiet: true } }).data?.archivedAt != null;
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<AccessKey>();
  const revoke = useChange(
    ({ id }: AccessKey) => call(revokeAccessKey, { params: { accessKeyId: id } }),
    (_, { name }) => toast.success(`The access key ${name} is revoked.`),
  );
  const create = (
    <Button leftSection={<IconPlus size={15} aria-hidden />} onClick={() => setCreating(true)} disabled={archived}>
      Create access key
    </Button>
  );
  return (
    <>
      {!list.isEmptyUnfiltered && !list.failure && (
        <Filters end={create}>
          <SearchBox
            label="Search access keys"
            value={list.query.search}
            onChange={(search) => list.setQuery({ search })}
          />
        </Filters>
      )}
      <ListTable
        views="access-keys"
        list={list}
        label="Access keys"
        noun="access keys"
        tall
        columns={accessKeyColumns({ acts: !archived, onRevoke: setRevoking })}
        rowKey={({ id }) => id}
        empty={
          <Empty
            kind="nothing-yet"
            title="No access keys yet"
            icon={<IconKey size={19} stroke={1.6} />}
            action={create}
          >
            An access key lets a build upload scan results, a monitor read the ledger, or agents send telemetry, and
            nothing else.
          </Empty>
        }
        noMatch="No access key matches"
      />
      {creating && <CreateKey onClose={() => setCreating(false)} />}
      <ConfirmDialog
        opened={revoking !== undefined}
        onClose={() => setRevoking(undefined)}
        title={`Revoke ${revoking?.name ?? 'the access key'}?`}
        confirm="Revoke"
        danger
        pending={revoke.isPending}
        onConfirm={() => revoking && revoke.mutate(revoking, { onSettled: () => setRevoking(undefined) })}
      >
        Builds and agents that use it can no longer send anything. This cannot be undone.
      </ConfirmDialog>
    </>
  );
}
