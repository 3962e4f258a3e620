import { Button, Menu } from '@mantine/core';
import { listExporters, sendToExporter } from '@sightline/contract/compliance/evidence-destinations.ts';
import { IconChevronDown, IconPlus, IconSend } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ask, call } from '#lib/api.ts';
import { reasonOf } from '#lib/reason.ts';
import { may, useSession } from '#lib/session.ts';
import { useNavigate } from '#ui/Link.tsx';
import { toast } from '#ui/toast.ts';

const exportersPath = '/evidence/exporters';

/** Sends a snapshot that is ready to one of the exporters there are, and leads to its deliveries. */
export function SendTo({ snapshot: { id, name } }: { snapshot: { id: string; name: string } }) {
  const makes = may(useSession(), 'create:evidence');
  const navigate = useNavigate();
  const { data } = useQuery({
    ...ask(listExporters, { query: { perPage: 100 } }),
    enabled: makes,
    meta: { quiet: true },
  });
  const send = useMutation({
    mutationFn: (exporterId: string) => call(sendToExporter, { params: { exporterId }, body: { snapshotId: id } }),
    meta: { quiet: true },
    onSuccess: (_, exporterId) => {
      toast.success(`Delivery of ${name} started.`);
      navigate(`${exportersPath}/${exporterId}`);
    },
    onError: (error) => toast.error(reasonOf(error, 'The snapshot was not sent. Try again.')),
  });
  if (!makes) return null;
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
          .map((exporter) => (
            <Menu.Item key={exporter.id} onClick={() => send.mutate(exporter.id)}>
              {exporter.name}
            </Menu.Item>
          ))}
        <Menu.Item leftSection={<IconPlus size={15} aria-hidden />} onClick={() => navigate(exportersPath)}>
          {data?.rows.length === 0 ? 'Add a destination' : 'Evidence destinations'}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
