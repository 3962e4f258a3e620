import type { PolicyMode } from '@sightline/contract/compliance/policies.ts';
import type { Parameter } from '@sightline/contract/timeline/events.ts';
import type { Actor } from '#core/actor.ts';
import { newId } from '#core/ids.ts';
import type { NewEvent } from '../../timeline/events/new-event.ts';

/** A change of a policy; `mode` is the mode after it. */
export type AppliedPolicyChange = { id: string; name: string } & (
  | { action: 'policy.created' | 'policy.changed' | 'policy.restored'; mode: PolicyMode }
  | { action: 'policy.deleted' }
);

/** A step of a change that weakens a policy and needs an approval. */
export interface PolicyChangeStep {
  action: 'policy_change.requested' | 'policy_change.approved' | 'policy_change.rejected' | 'policy_change.withdrawn';
  name: string;
}

const phrases: Record<(AppliedPolicyChange | PolicyChangeStep)['action'], string> = {
  'policy.created': '{0} created the policy {1}, which {2}',
  'policy.changed': '{0} changed the policy {1}, which now {2}',
  'policy.restored': '{0} restored the policy {1}, which {2} again',
  'policy.deleted': '{0} archived the policy {1}',
  'policy_change.requested': '{0} requested a change that weakens the policy {1}',
  'policy_change.approved': '{0} approved a change that weakens the policy {1}',
  'policy_change.rejected': '{0} rejected a change that weakens the policy {1}',
  'policy_change.withdrawn': '{0} withdrew a change that weakens the policy {1}',
};
const modeVerbs: Record<PolicyMode, string> = { observe: 'observes', warn: 'warns', enforce: 'enforces' };

/** Returns the timeline event of a policy change, attributed to its actor. */
export const policyEvent = (
  actor: Pick<Actor, 'personId' | 'email'>,
  change: AppliedPolicyChange | PolicyChangeStep,
): NewEvent => ({
  id: newId(),
  kind: 'policy',
  asOf: new Date().toISOString(),
  actor: actor.personId,
  repositoryId: null,
  pullRequest: null,
  source: 'sightline',
  detail: [],
  words: 'policy',
  summary: {
    phrase: phrases[change.action],
    parameters: [
      { kind: 'user', display: actor.email, ident: actor.email },
      wordOf(change.name),
      ...('mode' in change ? [wordOf(modeVerbs[change.mode])] : []),
    ],
  },
});

const wordOf = (display: string): Parameter => ({ kind: 'text', display, ident: '' });
