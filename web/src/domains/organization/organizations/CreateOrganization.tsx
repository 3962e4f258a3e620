import { Button } from '@mantine/core';
import { checkMayCreateOrganization } from '@sightline/contract/organization/organizations.ts';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { call, keyOf } from '#lib/api.ts';

const CreateDialog = lazy(async () => ({ default: (await import('./CreateDialog.tsx')).CreateDialog }));

/** Whether the account may create an organization; undefined while loading. */
export const useMayCreate = (): boolean | undefined =>
  useQuery({
    queryKey: keyOf(checkMayCreateOrganization, {}),
    // A refusal is stored as data: as an error, each component that mounts later would request it again.
    queryFn: () =>
      call(checkMayCreateOrganization, {}).then(
        () => true,
        () => false,
      ),
  }).data;

/** The button and its dialog. Renders nothing without permission. */
export function CreateOrganizationButton() {
  const mayCreate = useMayCreate();
  const [opened, setOpened] = useState(false);
  if (!mayCreate) return null;
  return (
    <>
      <Button variant="default" leftSection={<IconPlus size={15} aria-hidden />} onClick={() => setOpened(true)}>
        Create New Organization
      </Button>
      <Suspense>{opened && <CreateDialog opened onClose={() => setOpened(false)} />}</Suspense>
    </>
  );
}
