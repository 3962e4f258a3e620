import { clockSetBack } from '#core/clock-step.ts';
import { on } from '#core/topics.ts';
import { bringDigestsForward } from './commands.ts';

export const notificationSubscriptions = [
  on(clockSetBack, 'delivery.bring-digests-forward', ({ tx, orgId }) => bringDigestsForward(tx, orgId)),
];
