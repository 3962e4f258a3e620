import { type Provider, providerNames } from '@sightline/contract/core/providers.ts';
import type { Tx } from '#database/database.ts';
import { summarizeHooks } from '../host-hooks/queries.ts';
import { countRecovered } from '../reconcile/queries.ts';
import { countText, repositoryCountText } from './count-text.ts';
import type { CardContext } from './manifest.ts';

declare module '#core/services.ts' {
  interface Services {
    /** Counts enabled repositories in which a host refused a commit status, comment or status check result. */
    countPublishRefusals: (
      tx: Tx,
      orgId: string,
      provider: Provider,
    ) => Promise<{ status: number; comment: number; check: number }>;
  }
}

/** Sentences about changes that webhooks missed: `notes` for recovered ones, `missing` for denied access. */
export async function recoveryMessages(
  { services, tx, actor }: CardContext,
  provider: Provider,
): Promise<{ notes: string[]; missing: string[] }> {
  const { healed, redelivered, refused } = await countRecovered(tx, actor.orgId, provider);
  const hooks = await summarizeHooks(tx, actor.orgId, provider);
  const denied = await services.countPublishRefusals(tx, actor.orgId, provider);
  const host = providerNames[provider];
  const { publishing = { status: '', comment: '' }, webhooks } = services.codeHostModules.get(provider) ?? {};
  return {
    notes: [
      ...(redelivered > 0
        ? [
            `${countText(redelivered, 'webhook', 'webhooks')} did not arrive in the last week and ${were(redelivered)} redelivered.`,
          ]
        : []),
      // A host without webhooks is polled, so that none were missed.
      ...(healed > 0 && webhooks !== undefined
        ? [
            `${countText(healed, 'change', 'changes')} ${were(healed)} missed by webhooks in the last week and recovered.`,
          ]
        : []),
    ],
    missing: [
      ...(refused > 0
        ? [`${host} denies access to new data of ${repositoryCountText(refused)}. Check the permissions there.`]
        : []),
      ...(hooks.refused > 0
        ? [`${host} denied a webhook for ${repositoryCountText(hooks.refused)}. New data is imported every six hours.`]
        : []),
      ...(denied.status > 0
        ? [
            `${host} denied commit statuses for ${repositoryCountText(denied.status)}. Enforced policies block no merge there. ${publishing.status}`,
          ]
        : []),
      ...(denied.comment > 0
        ? [`${host} denied comments for ${repositoryCountText(denied.comment)}. ${publishing.comment}`]
        : []),
      ...(denied.check > 0
        ? [`${host} rejected a status check result for ${repositoryCountText(denied.check)}. ${publishing.status}`]
        : []),
      ...(hooks.left > 0
        ? [
            `${host} denied removal of the webhook of ${repositoryCountText(hooks.left)}. Remove it in the settings there.`,
          ]
        : []),
    ],
  };
}

const were = (count: number) => (count === 1 ? 'was' : 'were');
