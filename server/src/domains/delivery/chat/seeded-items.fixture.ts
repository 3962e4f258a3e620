import { newId } from '#core/ids.ts';
import type { SeededItems } from '../../../architecture/endpoint-case.ts';
import { sealSecret } from '../destinations/commands.ts';
import { workspaceSecret } from './secrets.ts';
import { chatChannels } from './target-type.ts';

declare module '../../../architecture/seeded.ts' {
  interface Seed {
    channelId: string;
    ownChatId: string;
    chatMessageId: string;
  }
}

/** A connected workspace, a channel of Teams with a failed message, and a workflow of the owner. */
export const seededItems: SeededItems = {
  create: () => ({ channelId: newId(), ownChatId: newId(), chatMessageId: newId() }),
  restore: async (services, { db }, { orgId, org, channelId, ownChatId, chatMessageId }) => {
    const { name, owner } = org;
    await db.deleteFrom('chat_target').where('org_id', '=', orgId).execute();
    await db.deleteFrom('chat_workspace').where('org_id', '=', orgId).execute();
    const seal = (field: 'token' | 'signing secret') =>
      services.secrets.seal(workspaceSecret(orgId, field), Buffer.from('a secret of the seed'));
    await db
      .insertInto('chat_workspace')
      .values({
        org_id: orgId,
        service: 'slack',
        team_id: 'T1',
        team: `Workspace of ${name}`,
        bot_id: 'U1',
        bot: 'sightline',
        token_sealed: seal('token'),
        token_end: 'seed',
        signing_secret_sealed: seal('signing secret'),
        connected_by: owner.id,
      })
      .execute();
    // No such host exists.
    const url = `https://workflows.invalid/workflows/${name}`;
    const target = (id: string) => ({
      org_id: orgId,
      id,
      service: 'teams',
      name: `Channel of ${name}`,
      host: 'workflows.invalid',
      secret_sealed: sealSecret(services, chatChannels, { orgId, id }, url),
      created_by: owner.id,
    });
    await db
      .insertInto('chat_target')
      .values([target(channelId), { ...target(ownChatId), account_id: owner.id }])
      .execute();
    await db
      .insertInto('chat_message')
      .values({
        org_id: orgId,
        id: chatMessageId,
        target_id: channelId,
        type: 'finding.new',
        severity: 1,
        title: `Finding of ${name}`,
        body: '',
        link: '/',
        status: 'failed',
        failure: 'The workflow rejects the message as too large.',
        due_at: new Date(),
      })
      .execute();
  },
};
