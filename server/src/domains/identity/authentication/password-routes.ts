import { changePassword, requestPasswordLink } from '@sightline/contract/identity/passwords.ts';
import type { FastifyInstance } from 'fastify';
import { TooManyAttempts } from '#core/errors.ts';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { changePasswordOf } from './password-change.ts';
import { requestPasswordReset } from './password-resets.ts';

export function passwordRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, changePassword, async ({ actor, body }) => {
    await changePasswordOf(services, actor, body);
    return { changed: true as const };
  });
  route(app, services, requestPasswordLink, async ({ actor }) => {
    const waitSeconds = await requestPasswordReset(services, actor.email, actor.address ?? '', () => actor.accountId);
    if (waitSeconds > 0) throw TooManyAttempts(waitSeconds);
    return { sent: true as const };
  });
}
