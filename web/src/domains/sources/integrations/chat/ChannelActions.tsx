import { Button, Menu } from '@mantine/core';
import {
  type ChatChannel,
  removeChatChannel,
  testChatChannel,
  updateChatChannel,
} from '@sightline/contract/delivery/chat.ts';
import { IconPencil, IconPlayerPlay, IconPlayerStop, IconSend, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { call } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { useNavigate } from '#ui/Link.tsx';
import { RowMenu } from '#ui/RowMenu.tsx';
import { toast } from '#ui/toast.ts';
import { ChannelDialog, type ChannelDraft } from './ChannelDialog.tsx';
import { chatPath, isOn } from './states.ts';

/** The actions of owners on a channel. */
export function ChannelActions({ channel }: { channel: ChatChannel }) {
  const { id, name, service } = channel;
  const [asking, setAsking] = useState<'edit' | 'remove'>();
  const navigate = useNavigate();
  const close = () => setAsking(undefined);
  const params = { channelId: id };
  const test = useChange(
    () => call(testChatChannel, { params }),
    ({ ok, problem }) => {
      if (ok) toast.success(`A test message was sent to ${name}.`);
      else toast.error(problem ?? 'The service gave no reason.', 'The test message was not sent');
    },
  );
  const toggle = useChange(
    (enabled: boolean) => call(updateChatChannel, { params, body: { enabled } }),
    (_, enabled) => toast.success(`${name} is ${enabled ? 'enabled' : 'disabled'}.`),
  );
  const save = useChange(
    ({ channel: _, name: given, url, ...settings }: ChannelDraft) =>
      call(updateChatChannel, {
        params,
        body: { ...settings, ...(service === 'teams' && { name: given, ...(url !== '' && { url, enabled: true }) }) },
      }),
    close,
    { quiet: true },
  );
  const remove = useChange(
    () => call(removeChatChannel, { params }),
    () => {
      toast.success(`${name} is removed.`);
      navigate(chatPath(service));
    },
  );
  return (
    <>
      {isOn(channel) ? (
        <Button
          variant="default"
          leftSection={<IconSend size={15} aria-hidden />}
          loading={test.isPending}
          onClick={() => test.mutate(undefined)}
        >
          Send test message
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
      <RowMenu label={`Actions for ${name}`}>
        <Menu.Item
          leftSection={<IconPencil size={15} aria-hidden />}
          onClick={() => {
            save.reset();
            setAsking('edit');
          }}
        >
          Edit
        </Menu.Item>
        {isOn(channel) && (
          <Menu.Item leftSection={<IconPlayerStop size={15} aria-hidden />} onClick={() => toggle.mutate(false)}>
            Disable
          </Menu.Item>
        )}
        <Menu.Item color="red" leftSection={<IconTrash size={15} aria-hidden />} onClick={() => setAsking('remove')}>
          Remove
        </Menu.Item>
      </RowMenu>
      {asking === 'edit' && <ChannelDialog service={service} now={channel} save={save} onClose={close} />}
      <ConfirmDialog
        opened={asking === 'remove'}
        onClose={close}
        title={`Remove ${name}?`}
        confirm="Remove"
        danger
        pending={remove.isPending}
        onConfirm={() => remove.mutate(undefined)}
      >
        Its messages are deleted here, including those not delivered yet. Messages in the chat stay. This cannot be
        undone.
      </ConfirmDialog>
    </>
  );
}
