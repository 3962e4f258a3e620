import { type ChatServiceName, chatServiceTitles } from '@sightline/contract/delivery/chat.ts';
import type { Integration } from '@sightline/contract/sources/integrations.ts';
import { findChatHealth } from '../../delivery/chat/queries.ts';
import { countText } from './count-text.ts';
import type { IntegrationCard, IntegrationState } from './manifest.ts';

type Health = Awaited<ReturnType<typeof findChatHealth>>;

/** The card of a chat service: its workspace, channels and delayed messages. */
export const chatCard = (name: ChatServiceName, description: string): IntegrationCard => ({
  name,
  title: chatServiceTitles[name],
  category: 'chat',
  description,
  look: async ({ services, tx, actor }) => {
    const health = await findChatHealth(tx, actor.orgId, name);
    const isOwner = actor.reach('manage:integrations') !== undefined;
    const { sandboxPage } = services.config.slack;
    const isConnected = name === 'slack' ? health.workspace !== undefined : health.channels + health.people > 0;
    const links = [
      ...(isOwner && isConnected ? [{ label: 'Channels and messages', href: `/integrations/chat/${name}` }] : []),
      ...(isOwner && !isConnected && sandboxPage ? [sandboxLinks(sandboxPage)[name]] : []),
    ];
    if (!isConnected) return { status: 'inactive', links };
    return { ...stateOf(name, health), links };
  },
});

const sandboxLinks = (slackPage: string): Record<ChatServiceName, { label: string; href: string }> => ({
  slack: { label: 'Workspace of the sandbox', href: slackPage },
  teams: { label: 'Workflows of the sandbox', href: `${new URL(slackPage).origin}/teams` },
});

function stateOf(name: ChatServiceName, health: Health): IntegrationState {
  const { workspace, channels, failing, limited, limitedUntil, pending, lastDeliveredAt } = health;
  const rejected = workspace?.problem ?? null;
  return {
    status: rejected !== null || failing > 0 ? 'error' : 'active',
    detail: [...(workspace ? [workspace.team] : []), countText(channels, 'channel', 'channels')].join(', '),
    lastSyncAt: lastDeliveredAt?.toISOString() ?? null,
    problem: problemOf(name, health),
    missing: channels === 0 ? ['No channel receives notifications yet.'] : [],
    notes: [
      ...(limited > 0 && limitedUntil
        ? [
            `${chatServiceTitles[name]} limits messages until ${limitedUntil.toISOString().slice(11, 16)} UTC. They are sent afterwards.`,
          ]
        : []),
      ...(pending > 0 ? [`${countText(pending, 'message is', 'messages are')} not delivered yet.`] : []),
    ],
  };
}

function problemOf(name: ChatServiceName, { workspace, failing, problem }: Health): Integration['problem'] {
  const rejected = workspace?.problem ?? null;
  if (rejected !== null) return { code: 'rejected', message: rejected };
  if (failing === 0) return null;
  const where = `Messages to ${countText(failing, 'channel', 'channels')} of ${chatServiceTitles[name]} fail.`;
  return { code: 'channels_failing', message: failing === 1 && problem !== null ? `${where} ${problem}` : where };
}
