import { type Provider, providerNames } from '@sightline/contract/repositories.ts';
import { countHookProblems } from '../host-hooks/queries.ts';
import { countHealed } from '../reconcile/queries.ts';
import type { Look } from './manifest.ts';
import { counted, repositoriesOf } from './words.ts';

/** What webhooks of a code host missed and was read afterwards, each as a sentence; and what could not be. */
export async function healedNotes(
  { tx, actor }: Look,
  provider: Provider,
): Promise<{ notes: string[]; missing: string[] }> {
  const { healed, redelivered, refused } = await countHealed(tx, actor.orgId, provider);
  const hooks = await countHookProblems(tx, actor.orgId, provider);
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
      ...(hooks.left > 0
        ? [
            `${host} did not let us remove our webhook from ${repositoriesOf(hooks.left)}. Remove it in the settings there.`,
          ]
        : []),
    ],
  };
}

const were = (count: number) => (count === 1 ? 'was' : 'were');
