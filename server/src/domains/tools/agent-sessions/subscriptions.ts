import { subscribeTo } from '#core/topics.ts';
import { personsUnited } from '../../identity/authentication/topics.ts';

export const agentSessionSubscriptions = [
  subscribeTo(personsUnited, 'tools.move-agent-sessions', async ({ tx, orgId }, { from, into }) => {
    await tx.query({
      name: '',
      text: 'update agent_session set person_id = $3 where org_id = $1 and person_id = $2',
      values: [orgId, from, into],
    });
  }),
];
