import {
  completeOnboarding,
  describeAccount,
  getAccount,
  hideTips,
  registerAccount,
  resendVerification,
} from '@sightline/contract/identity/accounts.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { resendConfirmation } from '../authentication/commands.ts';
import { completeOnboardingOf, describe, hideTipsOf, registerSignIn } from './commands.ts';
import { findAccount } from './queries.ts';

export function accountRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, getAccount, ({ actor }) => services.database.global((tx) => findAccount(tx, actor.accountId)));
  route(app, services, registerAccount, ({ actor, body }) => registerSignIn(services, actor, body));
  route(app, services, describeAccount, ({ actor, body }) => describe(services, actor, body));
  route(app, services, hideTips, ({ actor }) => hideTipsOf(services, actor));
  route(app, services, completeOnboarding, ({ actor }) => completeOnboardingOf(services, actor));
  route(app, services, resendVerification, async ({ body }) => {
    await resendConfirmation(services, body.userId);
    return { accepted: true as const };
  });
}
