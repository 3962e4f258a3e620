import { clockSetBack } from '#core/clock-step.ts';
import { subscribeTo } from '#core/topics.ts';
import { bringDigestsForward } from './commands.ts';

export const notificationSubscriptions = [
  subscribeTo(clockSetBack, 'delivery.bring-digests-forward', ({ tx, orgId }) => bringDigestsForward(tx, orgId)),
];
