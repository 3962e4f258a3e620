import {
  completeOnboarding,
  getAccount,
  hideTips,
  registerAccount,
  resendVerification,
  updateAccountDescription,
} from '@sightline/contract/identity/accounts.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { resendConfirmation } from '../authentication/commands.ts';
import { completeOnboardingOf, hideTipsOf, registerSignIn, updateProfile } from './commands.ts';
import { findAccount } from './queries.ts';

export function accountRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, getAccount, ({ actor }) => services.database.global((tx) => findAccount(tx, actor.accountId)));
  route(app, services, registerAccount, ({ actor, body }) => registerSignIn(services, actor, body));
  route(app, services, updateAccountDescription, ({ actor, body }) => updateProfile(services, actor, body));
  route(app, services, hideTips, ({ actor }) => hideTipsOf(services, actor));
  route(app, services, completeOnboarding, ({ actor }) => completeOnboardingOf(services, actor));
  route(app, services, resendVerification, async ({ body }) => {
    await resendConfirmation(services, body.userId);
    return { accepted: true as const };
  });
}
