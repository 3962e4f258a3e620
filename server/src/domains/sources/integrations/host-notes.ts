import { type Provider, providerNames } from '@sightline/contract/core/providers.ts';
import type { Tx } from '#database/database.ts';
import { countHookProblems } from '../host-hooks/queries.ts';
import { countHealed } from '../reconcile/queries.ts';
import type { CardContext } from './manifest.ts';
import { counted, repositoriesOf } from './words.ts';

declare module '#core/services.ts' {
  interface Services {
    /** In how many enabled repositories a code host refused a commit status, a comment or the answer to a status check. */
    countPublishRefusals: (
      tx: Tx,
      orgId: string,
      provider: Provider,
    ) => Promise<{ status: number; comment: number; check: number }>;
  }
}

/** What webhooks of a code host missed and was read afterwards, each as a sentence; and what could not be. */
export async function healedNotes(
  { services, tx, actor }: CardContext,
  provider: Provider,
): Promise<{ notes: string[]; missing: string[] }> {
  const { healed, redelivered, refused } = await countHealed(tx, actor.orgId, provider);
  const hooks = await countHookProblems(tx, actor.orgId, provider);
  const unsaid = await services.countPublishRefusals(tx, actor.orgId, provider);
  const host = providerNames[provider];
  return {
    notes: [
      ...(redelivered > 0
        ? [
            `${counted(redelivered, 'webhook', 'webhooks')} did not arrive within a week, and ${were(redelivered)} asked for again.`,
          ]
        : []),
      ...(healed > 0
        ? [
            `${counted(healed, 'change', 'changes')} ${were(healed)} missed by webhooks within a week, and read afterwards.`,
          ]
        : []),
    ],
    missing: [
      ...(refused > 0
        ? [`${host} does not show us what is new in ${repositoriesOf(refused)}. Check what we may read there.`]
        : []),
      ...(hooks.refused > 0
        ? [
            `${host} let us make no webhook in ${repositoriesOf(hooks.refused)}: what is new there is read every six hours.`,
          ]
        : []),
      ...(unsaid.status > 0
        ? [
            `${host} let us set no status in ${repositoriesOf(unsaid.status)}: what is enforced stops no merge there. ${needs[provider].status}`,
          ]
        : []),
      ...(unsaid.comment > 0
        ? [`${host} let us write no comment in ${repositoriesOf(unsaid.comment)}. ${needs[provider].comment}`]
        : []),
      ...(unsaid.check > 0
        ? [
            `${host} did not take our answer to a status check in ${repositoriesOf(unsaid.check)}. ${needs[provider].status}`,
          ]
        : []),
      ...(hooks.left > 0
        ? [
            `${host} did not let us remove our webhook from ${repositoriesOf(hooks.left)}. Remove it in the settings there.`,
          ]
        : []),
    ],
  };
}

/** What it takes on each host to say how the policies are kept. */
const needs: Readonly<Record<Provider, { status: string; comment: string }>> = {
  github: {
    status: 'The app needs the permission “Commit statuses: read and write”.',
    comment: 'The app needs the permission “Pull requests: read and write”.',
  },
  gitlab: {
    status: 'The token needs the scope “api”, and the role of a developer.',
    comment: 'The token needs the scope “api”.',
  },
  bitbucket: {
    status: 'The token needs the scope “repository” (write:repository:bitbucket).',
    comment: 'The token needs the scope “pullrequest” (write:pullrequest:bitbucket).',
  },
};

const were = (count: number) => (count === 1 ? 'was' : 'were');
