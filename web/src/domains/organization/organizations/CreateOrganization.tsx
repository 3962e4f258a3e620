import { Button } from '@mantine/core';
import { maySetUpOrganization } from '@sightline/contract/organization/organizations.ts';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { call, keyOf } from '#lib/api.ts';

const CreateDialog = lazy(async () => ({ default: (await import('./CreateDialog.tsx')).CreateDialog }));

/** Whether the account may create an organization; undefined until the server has answered. */
export const useMayCreate = (): boolean | undefined =>
  useQuery({
    queryKey: keyOf(maySetUpOrganization, {}),
    // A refusal is an answer: kept as a failure, it would be asked for again by each part of the page that comes to know.
    queryFn: () =>
      call(maySetUpOrganization, {}).then(
        () => true,
        () => false,
      ),
  }).data;

/** The button and its dialog; draws nothing for an account that may not. */
export function CreateOrganization() {
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
