import { Button, Menu } from '@mantine/core';
import { deliverEvidence, listEvidenceDestinations } from '@sightline/contract/compliance/evidence-destinations.ts';
import { IconChevronDown, IconPlus, IconSend } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call, endpointQuery } from '#lib/api.ts';
import { destinationsPath, evidenceDestinationHref } from '#lib/evidence-destination-href.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { hasPermission, useSession } from '#lib/session.ts';
import { useNavigate } from '#ui/Link.tsx';
import { toast } from '#ui/toast.ts';

/** Sends a snapshot with a bundle to an evidence destination, and opens the page of the destination with its deliveries. */
export function SendSnapshotMenu({ snapshot: { id, name } }: { snapshot: { id: string; name: string } }) {
  const maySend = hasPermission(useSession(), 'create:evidence');
  const navigate = useNavigate();
  const { data } = useQuery({
    ...endpointQuery(listEvidenceDestinations, { query: { perPage: 100 } }),
    enabled: maySend,
    meta: { quiet: true },
  });
  const send = useMutation({
    mutationFn: (destinationId: string) =>
      call(deliverEvidence, { params: { destinationId }, body: { snapshotId: id } }),
    meta: { quiet: true },
    onSuccess: (_, destinationId) => {
      toast.success(`Delivery of ${name} started.`);
      navigate(evidenceDestinationHref({ id: destinationId }));
    },
    onError: (error) => toast.error(errorMessageOf(error, 'The snapshot was not sent. Try again.')),
  });
  if (!maySend) return null;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button
          variant="default"
          loading={send.isPending}
          leftSection={<IconSend size={16} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          Send to
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {data?.rows
          .filter(({ state }) => state !== 'off')
          .map((destination) => (
            <Menu.Item key={destination.id} onClick={() => send.mutate(destination.id)}>
              {destination.name}
            </Menu.Item>
          ))}
        <Menu.Item leftSection={<IconPlus size={15} aria-hidden />} onClick={() => navigate(destinationsPath)}>
          {data?.rows.length === 0 ? 'Add a destination' : 'Evidence destinations'}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
