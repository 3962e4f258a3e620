import { setTimeout } from 'node:timers/promises';
import { Conflict } from '#core/errors.ts';
import { forgetPrevious, isFile, openMasterKeys, replaceFile } from '#core/master-keys.ts';
import { recordOperator } from '#core/operator-log.ts';
import { createSecrets } from '#core/secrets.ts';
import { previousSecretMinutes } from '#core/signatures.ts';
import { newKeySeconds, rotateSigningKey } from '#core/signing-keys.ts';
import type { Database } from '#database/database.ts';
import { readConfig } from '../config.ts';
import { rotateHookSecrets } from '../domains/sources/host-hooks/secrets.ts';
import { rotateWebhookSecret as rotateScannerWebhook } from '../domains/vulnerabilities/checkmarx/commands.ts';
import { command } from './command.ts';
import { withOwner, withServices } from './open.ts';
import { userName } from './operator.ts';
import { listOrganizationIds } from './organizations.ts';
import { countSealed, reencryptAll } from './reencrypt.ts';

/** Until every server on this data directory seals under a new key, with a second to spare. */
const switchMs = 2_000;

export const rotateMasterKey = command({
  name: 'keys rotate-master',
  says: 'Seals every secret under a new master key, while the server goes on. Stopped, it goes on when it is run again.',
  options: {},
  run: async () => {
    const config = readConfig();
    return withOwner(config, async (owner) => {
      const source = await openMasterKeys(config);
      // Begun before and not finished: go on with that key.
      if (isFile(config) && source.read().others.length === 0) await replaceFile(config.dataDir);
      const secrets = createSecrets(source);
      const { others } = source.read();
      if (others.length === 0) throw Conflict(onlyOneKey);
      const headers = others.map((key) => secrets.headerOf(key));
      await setTimeout(switchMs);
      let count = 0;
      // A server may have sealed under the old key until it saw the new one.
      for (let found = 1; found > 0; count += found) found = await reencryptAll(owner, secrets, headers);
      await note(owner, 'keys.master_rotated', { secrets: count });
      return {
        json: { keys: { reencrypted: count } },
        lines: [
          `${count} secrets are sealed under the new master key now. Nothing in the database opens with the old one.`,
          'Links in e-mails and sign-ups that were begun before still need the old one: keep it for a day, then run',
          '  npm run sightline -- keys retire-master',
          'Backups that were made before need the old key to be restored: keep it as long as them.',
        ],
      };
    });
  },
});

export const retireMasterKey = command({
  name: 'keys retire-master',
  says: 'Takes the old master keys away from this machine, once nothing is sealed under them.',
  options: {},
  run: async () => {
    const config = readConfig();
    return withOwner(config, async (owner) => {
      const source = await openMasterKeys(config);
      const secrets = createSecrets(source);
      const { others } = source.read();
      const headers = others.map((key) => secrets.headerOf(key));
      const left = headers.length === 0 ? 0 : await countSealed(owner, headers);
      if (left > 0)
        throw Conflict(`${left} secrets are sealed under an old key. Run: npm run sightline -- keys rotate-master`);
      if (isFile(config)) await forgetPrevious(config.dataDir);
      if (others.length > 0) await note(owner, 'keys.master_retired', { keys: others.length });
      return {
        json: { keys: { retired: others.length } },
        lines: [
          others.length === 0
            ? 'There is no old master key.'
            : isFile(config)
              ? 'The old master key is no longer on this machine.'
              : 'Nothing needs the old master key: take it out of MASTER_KEY_OTHERS or the answer of KEY_COMMAND.',
        ],
      };
    });
  },
});

export const rotateTokenKey = command({
  name: 'keys rotate-tokens',
  says: `Makes a new key to sign tokens with. It signs after ${newKeySeconds} seconds, and what is signed already stays good.`,
  options: {
    revoke: {
      says: 'It signs at once, and nothing that was signed before is good any more: everybody signs in again.',
    },
  },
  run: ({ options: { revoke } }) =>
    withServices(async ({ database, secrets }) => {
      await rotateSigningKey(database, secrets, { revoke });
      await database.global((tx) =>
        recordOperator(tx, userName(), {
          action: 'keys.tokens_rotated',
          subject: { kind: 'key', id: 'tokens' },
          data: { revoked: revoke },
        }),
      );
      return {
        json: { keys: { rotated: true, revoked: revoke } },
        lines: [
          revoke
            ? 'Tokens and sessions of before are refused within ten seconds. Everybody signs in again.'
            : `The new key signs in ${newKeySeconds} seconds, on every server. The one before stays good for sessions that began with it.`,
        ],
      };
    }),
});

export const rotateWebhookSecrets = command({
  name: 'keys rotate-webhooks',
  says: 'Gives our webhooks at code hosts and scanners new secrets, while the server goes on. Stopped or failed, it goes on when it is run again.',
  options: {},
  run: () =>
    withServices(async (services, _keys, ownerUrl) => {
      const { database, githubApps } = services;
      const app = await githubApps.rotateWebhookSecret();
      let count = 0;
      for (const orgId of await listOrganizationIds(ownerUrl)) {
        count += await database.withOrg(orgId, async (tx) => {
          const hooks = await rotateHookSecrets(services, tx, orgId);
          return hooks + Number(await rotateScannerWebhook(services, tx, orgId));
        });
      }
      await database.global((tx) =>
        recordOperator(tx, userName(), {
          action: 'keys.webhooks_rotated',
          subject: { kind: 'key', id: 'webhooks' },
          data: { app, webhooks: count },
        }),
      );
      return {
        json: { keys: { app, webhooks: count } },
        lines: [
          ...(app ? ['GitHub signs the webhooks of the app with a new secret.'] : []),
          `${count} webhooks at GitLab, Bitbucket and Checkmarx One get new secrets within minutes, while the server runs.`,
          `A secret of before is accepted until its host has the new one, and for ${previousSecretMinutes} minutes after that.`,
        ],
      };
    }),
});

const onlyOneKey =
  'There is one master key. On every node set the new key in MASTER_KEY and the old one in MASTER_KEY_OTHERS, or have KEY_COMMAND print both, the new one first; docs/operations/keys.md says in which order.';

const note = (owner: Database, action: string, data: { [key: string]: number }) =>
  owner.global((tx) => recordOperator(tx, userName(), { action, subject: { kind: 'key', id: 'master' }, data }));
