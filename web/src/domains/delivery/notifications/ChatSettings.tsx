import { Button, TextInput } from '@mantine/core';
import {
  chatServiceTitles,
  linkOwnChat,
  type OwnChat,
  testOwnChat,
  unlinkOwnChat,
} from '@sightline/contract/delivery/chat.ts';
import { useState } from 'react';
import { call } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { docsHref } from '#lib/docs.ts';
import { DocsLink } from '#ui/DocsLink.tsx';
import { Panel } from '#ui/Panel.tsx';
import { StatusDot } from '#ui/StatusBadge.tsx';
import { toast } from '#ui/toast.ts';
import s from './Settings.module.css';

/** Links the own Slack user, and a workflow of Microsoft Teams. Saved immediately, unlike the other settings. */
export const ChatSettings = ({ chats }: { chats: readonly OwnChat[] }) => (
  <Panel title="Chat">
    <div className={s.fields}>
      <p className="dim">
        Messages are sent to you immediately, grouped per minute, and after your quiet hours. Select the notifications
        above.
      </p>
      {chats.map((chat) => (
        <Service key={chat.service} chat={chat} />
      ))}
    </div>
  </Panel>
);

function Service({ chat: { service, available, linked } }: { chat: OwnChat }) {
  const [url, setUrl] = useState('');
  const title = chatServiceTitles[service];
  const params = { service };
  const link = useChange(
    () => call(linkOwnChat, { params, body: service === 'teams' ? { url: url.trim() } : {} }),
    () => {
      setUrl('');
      toast.success(`${title} is linked. Select its notifications in the table.`);
    },
    { failed: `${title} could not be linked.` },
  );
  const unlink = useChange(
    () => call(unlinkOwnChat, { params }),
    () => toast.success(`You receive no more messages in ${title}.`),
  );
  const test = useChange(
    () => call(testOwnChat, { params }),
    ({ ok, problem }) => {
      if (ok) toast.success(`A test message was sent in ${title}.`);
      else toast.error(problem ?? 'The service gave no reason.', 'The test message was not sent');
    },
  );
  return (
    <div className={s.choice}>
      <span className={s.label}>{title}</span>
      {linked ? (
        <>
          <StatusDot tone={linked.problem === null ? 'green' : 'red'}>Linked to {linked.name}</StatusDot>
          {linked.problem !== null && <span className={s.hint}>{linked.problem}</span>}
          <div className={s.line}>
            <Button variant="default" loading={test.isPending} onClick={() => test.mutate(undefined)}>
              Send test message<span className="vh"> in {title}</span>
            </Button>
            <Button variant="default" loading={unlink.isPending} onClick={() => unlink.mutate(undefined)}>
              Unlink<span className="vh"> {title}</span>
            </Button>
          </div>
        </>
      ) : !available ? (
        <span className={s.hint}>An Account Owner can connect Slack under Integrations.</span>
      ) : service === 'slack' ? (
        <>
          <span className={s.hint}>Finds your Slack user by the confirmed address of your account.</span>
          <div className={s.line}>
            <Button variant="default" loading={link.isPending} onClick={() => link.mutate(undefined)}>
              Link my Slack user
            </Button>
          </div>
        </>
      ) : (
        <>
          <TextInput
            label="Workflow URL"
            description="Of your Teams workflow “Send webhook alerts to a chat”. Stored encrypted, and never shown again."
            type="url"
            value={url}
            maxLength={2000}
            autoComplete="off"
            onChange={({ currentTarget }) => setUrl(currentTarget.value)}
          />
          <div className={s.line}>
            <Button
              variant="default"
              disabled={url.trim() === ''}
              loading={link.isPending}
              onClick={() => link.mutate(undefined)}
            >
              Link Microsoft Teams
            </Button>
            <DocsLink href={docsHref('integrations-teams', 'messages-to-you')}>Create a workflow</DocsLink>
          </div>
        </>
      )}
    </div>
  );
}
