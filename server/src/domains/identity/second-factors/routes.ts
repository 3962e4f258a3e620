import {
  addPasskey,
  addTotp,
  beginPasskey,
  beginTotp,
  getSecondFactors,
  removePasskey,
  removeTotp,
  renewRecoveryCodes,
} from '@sightline/contract/identity/second-factors.ts';
import type { FastifyInstance } from 'fastify';
import type { AccountActor } from '#core/actor.ts';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { recordAuthentication } from '../sessions/commands.ts';
import {
  addPasskeyOf,
  addTotpOf,
  beginPasskeyOf,
  beginTotpOf,
  removePasskeyOf,
  removeTotpOf,
  renewRecoveryCodesOf,
} from './commands.ts';
import { findSecondFactors } from './queries.ts';

export function secondFactorRoutes(app: FastifyInstance, services: Services): void {
  const { database } = services;
  /** Adding a factor marks the session as authenticated by a second factor. */
  const adding = async <Result>(actor: AccountActor, work: () => Promise<Result>): Promise<Result> => {
    const result = await work();
    await database.global((tx) => recordAuthentication(tx, actor, { secondFactor: true }));
    return result;
  };

  route(app, services, getSecondFactors, ({ actor }) =>
    database.withAccount({ id: actor.accountId, email: actor.email }, (tx) => findSecondFactors(tx, actor.accountId)),
  );
  route(app, services, beginTotp, ({ actor }) => beginTotpOf(services, actor));
  route(app, services, addTotp, ({ actor, body }) => adding(actor, () => addTotpOf(services, actor, body)));
  route(app, services, removeTotp, ({ actor }) => removeTotpOf(services, actor));
  route(app, services, beginPasskey, ({ actor }) => beginPasskeyOf(services, actor));
  route(app, services, addPasskey, ({ actor, body }) => adding(actor, () => addPasskeyOf(services, actor, body)));
  route(app, services, removePasskey, ({ actor, params }) => removePasskeyOf(services, actor, params.passkeyId));
  route(app, services, renewRecoveryCodes, ({ actor }) => renewRecoveryCodesOf(services, actor));
}
