import { setTimeout } from 'node:timers/promises';
import { scannerNames } from '@sightline/contract/core/scan-sources.ts';
import { Conflict } from '#core/errors.ts';
import { deletePreviousMasterKeys, isMasterKeyFile, openMasterKeys, rotateMasterKeyFile } from '#core/master-keys.ts';
import { recordOperatorEntry } from '#core/operator-log.ts';
import { createSecrets } from '#core/secrets.ts';
import type { Services } from '#core/services.ts';
import { previousSecretMinutes } from '#core/signatures.ts';
import { newKeySeconds, rotateSigningKey } from '#core/signing-keys.ts';
import type { Database, Tx } from '#database/database.ts';
import { readConfig } from '../config.ts';
import { rotateHookSecrets } from '../domains/sources/host-hooks/secrets.ts';
import { rotateTrackerSecrets } from '../domains/sources/trackers/commands.ts';
import { rotateWebhookSecret as rotateScannerWebhook } from '../domains/vulnerabilities/scanners/commands.ts';
import { command } from './command.ts';
import { withOwnerDatabase, withServices } from './command-resources.ts';
import { operatorUserName } from './operator.ts';
import { listOrganizationIds } from './organizations.ts';
import { countSealed, reencryptAll } from './reencrypt.ts';

/** The time until every server on this data directory encrypts with a new key, with a margin of one second. */
const switchMs = 2_000;

export const rotateMasterKey = command({
  name: 'keys rotate-master',
  description:
    'Encrypts every secret with a new master key while the server runs. Run it again to resume after an interruption.',
  options: {},
  run: async () => {
    const config = readConfig();
    return withOwnerDatabase(config, async (owner) => {
      const source = await openMasterKeys(config);
      // An interrupted rotation continues with its key.
      if (isMasterKeyFile(config) && source.read().others.length === 0) await rotateMasterKeyFile(config.dataDir);
      const secrets = createSecrets(source);
      const { others } = source.read();
      if (others.length === 0) throw Conflict(onlyOneKey);
      const headers = others.map((key) => secrets.headerOf(key));
      await setTimeout(switchMs);
      let count = 0;
      // A server may have encrypted with the old key until it read the new one.
      for (let found = 1; found > 0; count += found) found = await reencryptAll(owner, secrets, headers);
      await recordAction(owner, 'keys.master_rotated', { secrets: count });
      return {
        json: { keys: { reencrypted: count } },
        lines: [
          `${count} secrets are encrypted with the new master key. The old key decrypts nothing in the database.`,
          'Links in emails and unfinished sign-ups still need the old key. Keep it for a day, then run',
          '  npm run sightline -- keys retire-master',
          'Earlier backups need the old key for a restore. Keep it as long as the backups.',
        ],
      };
    });
  },
});

export const retireMasterKey = command({
  name: 'keys retire-master',
  description: 'Removes old master keys from this machine if no secret is encrypted with them.',
  options: {},
  run: async () => {
    const config = readConfig();
    return withOwnerDatabase(config, async (owner) => {
      const source = await openMasterKeys(config);
      const secrets = createSecrets(source);
      const { others } = source.read();
      const headers = others.map((key) => secrets.headerOf(key));
      const left = headers.length === 0 ? 0 : await countSealed(owner, headers);
      if (left > 0)
        throw Conflict(`${left} secrets are encrypted with an old key. Run: npm run sightline -- keys rotate-master`);
      if (isMasterKeyFile(config)) await deletePreviousMasterKeys(config.dataDir);
      if (others.length > 0) await recordAction(owner, 'keys.master_retired', { keys: others.length });
      return {
        json: { keys: { retired: others.length } },
        lines: [
          others.length === 0
            ? 'There is no old master key.'
            : isMasterKeyFile(config)
              ? 'The old master key was removed from this machine.'
              : 'The old master key is not needed. Remove it from MASTER_KEY_OTHERS or the output of KEY_COMMAND.',
        ],
      };
    });
  },
});

export const rotateTokenKey = command({
  name: 'keys rotate-tokens',
  description: `Creates a new token signing key. It is used after ${newKeySeconds} seconds. Existing tokens stay valid.`,
  options: {
    revoke: {
      description: 'Use the new key immediately and invalidate all existing tokens. All users must sign in again.',
    },
  },
  run: ({ options: { revoke } }) =>
    withServices(async ({ database, secrets }) => {
      await rotateSigningKey(database, secrets, { revoke });
      await database.global((tx) =>
        recordOperatorEntry(tx, operatorUserName(), {
          action: 'keys.tokens_rotated',
          subject: { kind: 'key', id: 'tokens' },
          data: { revoked: revoke },
        }),
      );
      return {
        json: { keys: { rotated: true, revoked: revoke } },
        lines: [
          revoke
            ? 'Earlier tokens and sessions are rejected within ten seconds. All users must sign in again.'
            : `All servers use the new key in ${newKeySeconds} seconds. The previous key stays valid for its sessions.`,
        ],
      };
    }),
});

export const rotateWebhookSecrets = command({
  name: 'keys rotate-webhooks',
  description:
    'Rotates the secrets of webhooks at code hosts, scanners and issue trackers while the server runs. Run it again to resume after an interruption.',
  options: {},
  run: () =>
    withServices(async (services, _keys, ownerUrl) => {
      const { database, githubApps } = services;
      const app = await githubApps.rotateWebhookSecret();
      let count = 0;
      for (const orgId of await listOrganizationIds(ownerUrl)) {
        count += await database.withOrg(orgId, (tx) => rotateWebhooksOf(services, tx, orgId));
      }
      await database.global((tx) =>
        recordOperatorEntry(tx, operatorUserName(), {
          action: 'keys.webhooks_rotated',
          subject: { kind: 'key', id: 'webhooks' },
          data: { app, webhooks: count },
        }),
      );
      return {
        json: { keys: { app, webhooks: count } },
        lines: [
          ...(app ? ['GitHub signs the app webhooks with a new secret.'] : []),
          `${count} webhooks at code hosts, issue trackers and Checkmarx One get new secrets within minutes, while the server runs.`,
          `The previous secret is accepted until the host has the new one, and for ${previousSecretMinutes} minutes afterwards.`,
        ],
      };
    }),
});

/**
 * Queues new secrets, and with them the address of this installation, for the webhooks of an organization at code hosts,
 * issue trackers and scanners. Returns their number.
 */
export async function rotateWebhooksOf(services: Services, tx: Tx, orgId: string): Promise<number> {
  const hooks = await rotateHookSecrets(services, tx, orgId);
  const trackers = await rotateTrackerSecrets(services, tx, orgId);
  let ofScanners = 0;
  for (const scanner of scannerNames)
    ofScanners += Number(await rotateScannerWebhook(services, tx, { orgId, scanner }));
  return hooks + trackers + ofScanners;
}

const onlyOneKey =
  'Only one master key is configured. On every node set the new key in MASTER_KEY and the old one in MASTER_KEY_OTHERS, or have KEY_COMMAND print both, the new one first; see docs/operations/keys.md for the order.';

const recordAction = (owner: Database, action: string, data: { [key: string]: number }) =>
  owner.global((tx) =>
    recordOperatorEntry(tx, operatorUserName(), { action, subject: { kind: 'key', id: 'master' }, data }),
  );
