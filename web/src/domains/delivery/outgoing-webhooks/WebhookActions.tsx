import { Button, Menu } from '@mantine/core';
import {
  deleteOutgoingWebhook,
  type OutgoingWebhook,
  rotateOutgoingSecret,
  testOutgoingWebhook,
  updateOutgoingWebhook,
} from '@sightline/contract/delivery/outgoing-webhooks.ts';
import { getOrganization } from '@sightline/contract/organization/organizations.ts';
import { IconKey, IconPencil, IconPlayerPlay, IconPlayerStop, IconSend, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, endpointQuery } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { useNavigate } from '#ui/Link.tsx';
import { RowMenu } from '#ui/RowMenu.tsx';
import { toast } from '#ui/toast.ts';
import { SecretDialog } from './SecretDialog.tsx';
import { hostOf, isOn, webhooksPath } from './states.ts';
import { WebhookDialog, type WebhookDraft } from './WebhookDialog.tsx';

/** The actions of owners on a webhook. */
export function WebhookActions({ webhook }: { webhook: OutgoingWebhook }) {
  const archived = useQuery({ ...endpointQuery(getOrganization, {}), meta: { quiet: true } }).data?.archivedAt != null;
  const [asking, setAsking] = useState<'edit' | 'rotate' | 'delete'>();
  const navigate = useNavigate();
  const close = () => setAsking(undefined);
  const params = { webhookId: webhook.id };
  const host = hostOf(webhook);
  const test = useChange(
    () => call(testOutgoingWebhook, { params }),
    () => toast.success('Test event sent. It appears under Deliveries.'),
  );
  const toggle = useChange(
    (enabled: boolean) => call(updateOutgoingWebhook, { params, body: { enabled } }),
    (_, enabled) =>
      toast.success(enabled ? `The webhook to ${host} is enabled.` : `The webhook to ${host} is disabled.`),
  );
  const save = useChange((body: WebhookDraft) => call(updateOutgoingWebhook, { params, body }), close, { quiet: true });
  const rotate = useChange(() => call(rotateOutgoingSecret, { params }), close);
  const remove = useChange(
    () => call(deleteOutgoingWebhook, { params }),
    () => {
      toast.success(`The webhook to ${host} is deleted.`);
      navigate(webhooksPath);
    },
  );
  const on = isOn(webhook);
  if (archived) return null;
  return (
    <>
      {on ? (
        <Button
          variant="default"
          leftSection={<IconSend size={15} aria-hidden />}
          loading={test.isPending}
          onClick={() => test.mutate(undefined)}
        >
          Send test event
        </Button>
      ) : (
        <Button
          leftSection={<IconPlayerPlay size={15} aria-hidden />}
          loading={toggle.isPending}
          onClick={() => toggle.mutate(true)}
        >
          Enable
        </Button>
      )}
      <RowMenu label={`Actions for ${host}`}>
        <Menu.Item
          leftSection={<IconPencil size={15} aria-hidden />}
          onClick={() => {
            save.reset();
            setAsking('edit');
          }}
        >
          Edit
        </Menu.Item>
        <Menu.Item leftSection={<IconKey size={15} aria-hidden />} onClick={() => setAsking('rotate')}>
          Rotate secret
        </Menu.Item>
        {on && (
          <Menu.Item leftSection={<IconPlayerStop size={15} aria-hidden />} onClick={() => toggle.mutate(false)}>
            Disable
          </Menu.Item>
        )}
        <Menu.Item color="red" leftSection={<IconTrash size={15} aria-hidden />} onClick={() => setAsking('delete')}>
          Delete
        </Menu.Item>
      </RowMenu>
      {asking === 'edit' && (
        <WebhookDialog title="Edit webhook" submit="Save" now={webhook} save={save} onClose={close} />
      )}
      <ConfirmDialog
        opened={asking === 'rotate'}
        onClose={close}
        title={`Rotate the secret of ${host}?`}
        confirm="Rotate"
        pending={rotate.isPending}
        onConfirm={() => rotate.mutate(undefined)}
      >
        A new secret is created and shown once. The current one also signs for 24 hours. An earlier one stops
        immediately.
      </ConfirmDialog>
      {rotate.data && (
        <SecretDialog title="The secret is rotated" secret={rotate.data.secret} replaces onClose={rotate.reset} />
      )}
      <ConfirmDialog
        opened={asking === 'delete'}
        onClose={close}
        title={`Delete the webhook to ${host}?`}
        confirm="Delete"
        danger
        pending={remove.isPending}
        onConfirm={() => remove.mutate(undefined)}
      >
        Its deliveries are deleted too, including pending ones. This cannot be undone.
      </ConfirmDialog>
    </>
  );
}
