import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type pg from 'pg';
import { Invalid, Refusal } from '#core/errors.ts';
import { masterKeyId } from '#core/master-keys.ts';
import { columnTypes } from '#database/database.ts';
import { canDecrypt, decryptWith, readIdentities, readRecipients } from './backup/encryption.ts';
import { command } from './command.ts';
import { withServices } from './command-resources.ts';
import { withClient } from './schema.ts';
import { closeMovedOrganization, findOrganizationAnywhere, reopenOrganization } from './transfer/close.ts';
import { deleteMovedOrganization } from './transfer/delete.ts';
import { writeOrganization } from './transfer/export.ts';
import { loadOrganization, type VerifiedExport } from './transfer/import.ts';
import { readExportManifest, readTransferKey } from './transfer/manifest.ts';

/** Runs `work` with a connection of the owner, which the code of the server can use. */
const withOwner = <Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> =>
  withClient(url, work, columnTypes);

const keyOption = {
  valueName: 'FILE',
  required: true,
  description: 'The transfer key, the same for export and import: openssl rand -base64 32 > FILE',
} as const;

export const exportOrganization = command({
  name: 'org export',
  description:
    'Closes an organization that moves to another installation, and writes all its rows to a new folder. The server may run.',
  valueName: ['SLUG|ID', 'FOLDER'],
  options: {
    to: { valueName: 'URL', required: true, description: 'The PUBLIC_URL of the other installation.' },
    key: keyOption,
    recipient: {
      valueName: 'AGE1...',
      description:
        'Encrypt every file for this age recipient. Several: separated by commas, or a file with one per line.',
    },
  },
  run: async ({ words: [given = '', folder = ''], options }) => {
    const to = originOf(options.to);
    const transferKey = await readTransferKey(options.key);
    const recipients = await readRecipients(options.recipient);
    await refuseExisting(folder);
    return withServices((services, _, ownerUrl) =>
      withOwner(ownerUrl, async (client) => {
        const organization = await findOrganizationAnywhere(client, given);
        if (to === services.config.PUBLIC_URL) throw Invalid('--to', 'is the address of this installation');
        await closeMovedOrganization(services, client, organization, to);
        const manifest = await writeOrganization(services, client, {
          organization,
          to,
          folder: resolve(folder),
          transferKey,
          recipients,
        });
        const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
        return {
          json: {
            exported: {
              ...manifest.organization,
              folder: resolve(folder),
              to,
              rows,
              ledgerProblems: manifest.ledgerProblems,
            },
          },
          lines: [
            ...manifest.ledgerProblems.map((problem) => `Its ledger has a problem: ${problem}`),
            `Wrote ${rows} rows of ${organization.name} (${organization.id}) to ${resolve(folder)}`,
            'The organization is closed here. Import it at the other installation:',
            '  npm run sightline -- org import FOLDER --key FILE',
            'To give up the move before the import: npm run sightline -- org reopen ID',
          ],
        };
      }),
    );
  },
});

export const importOrganization = command({
  name: 'org import',
  description:
    'Imports an organization that another installation exported, and verifies its ledger. The server may run.',
  valueName: ['FOLDER'],
  options: {
    key: keyOption,
    identity: { valueName: 'FILE', description: 'The age identity file for an encrypted export.' },
  },
  run: async ({ words: [folder = ''], options }) => {
    const source = await openExport(resolve(folder), options.key, options.identity);
    const { organization } = source.manifest;
    return withServices(async (services, _, ownerUrl) => {
      const { PUBLIC_URL } = services.config;
      if (source.manifest.to !== PUBLIC_URL)
        throw new Refusal('conflict', `The export is for ${source.manifest.to}, and this is ${PUBLIC_URL}.`);
      const { rows, entries, accounts } = await withOwner(ownerUrl, (client) =>
        loadOrganization(services, client, source),
      );
      const { created, known, matched } = accounts;
      return {
        json: {
          imported: {
            ...organization,
            from: source.manifest.from,
            rows,
            entries,
            accounts: { created, known, matched },
          },
        },
        lines: [
          `Imported ${organization.name} (${organization.id}): ${rows} rows.`,
          `${entries} ledger entries match their hashes, tree and checkpoints.`,
          `${created} accounts were created, ${matched.length} merged into accounts with the same address, ${known} were known.`,
          'Delete the folder and the transfer key. At the other installation, delete the old rows:',
          `  npm run sightline -- org delete-moved ${organization.id} --imported`,
        ],
      };
    });
  },
});

export const reopenOrganizationCommand = command({
  name: 'org reopen',
  description:
    'Opens an organization again whose move was given up. Never after an import: both installations would continue its ledger.',
  valueName: ['SLUG|ID'],
  options: {
    'not-imported': { description: 'Confirms that no other installation has imported the organization.' },
  },
  run: async ({ words: [given = ''], options }) => {
    if (!options['not-imported'])
      throw Invalid(
        '--not-imported',
        'is missing. Two installations would continue one ledger, which witnesses report',
      );
    return withServices((_services, _, ownerUrl) =>
      withOwner(ownerUrl, async (client) => {
        const organization = await findOrganizationAnywhere(client, given);
        await reopenOrganization(client, organization);
        return {
          json: { reopened: { id: organization.id } },
          lines: [`${organization.name} is open again. Delete its export.`],
        };
      }),
    );
  },
});

export const deleteMovedOrganizationCommand = command({
  name: 'org delete-moved',
  description:
    'Deletes the rows of an organization that another installation has imported. Requests are still answered with its address.',
  valueName: ['SLUG|ID'],
  options: {
    imported: { description: 'Confirms that the other installation has imported the organization.' },
  },
  run: async ({ words: [given = ''], options }) => {
    if (!options.imported)
      throw Invalid('--imported', 'is missing. Without an import these are the only rows of the organization');
    return withServices((_services, _, ownerUrl) =>
      withOwner(ownerUrl, async (client) => {
        const organization = await findOrganizationAnywhere(client, given);
        const rows = await deleteMovedOrganization(client, organization);
        return {
          json: { deleted: { id: organization.id, rows } },
          lines: [`Deleted ${rows} rows of ${organization.name}, which moved to ${organization.movedTo}.`],
        };
      }),
    );
  },
});

function originOf(given: string): string {
  if (
    !URL.canParse(given) ||
    !/^https?:$/.test(new URL(given).protocol) ||
    new URL(given).origin !== given.replace(/\/$/, '')
  )
    throw Invalid('--to', 'must be an http(s) address without a path');
  return new URL(given).origin;
}

async function refuseExisting(folder: string): Promise<void> {
  // Before the organization is closed, not after.
  if (await stat(join(folder, 'manifest.json')).catch(() => undefined))
    throw Invalid('FOLDER', 'already contains an export. Specify a new folder');
}

async function openExport(folder: string, keyFile: string, identityFile: string | undefined): Promise<VerifiedExport> {
  const transferKey = await readTransferKey(keyFile);
  const unverified = await readExportManifest(folder);
  if (!unverified.isKey(transferKey))
    throw Invalid('--key', `is not the key of this export (${masterKeyId(transferKey)})`);
  const identities = await readIdentities(identityFile);
  const manifest = await unverified.verify(transferKey);
  if (manifest.recipients.length > 0 && identities.length === 0)
    throw Invalid('--identity', 'is missing. The export is encrypted');
  const decrypt = decryptWith(manifest.recipients.length > 0 ? identities : []);
  const [first] = manifest.tables;
  if (first && manifest.recipients.length > 0 && !(await canDecrypt(join(folder, first.file), decrypt)))
    throw Invalid('--identity', 'cannot decrypt this export');
  return { folder, manifest, decrypt, transferKey };
}
