import { Refusal } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import { closeEpoch, rotateKey } from '../domains/ledger/ledger/epochs.ts';
import { command } from './command.ts';
import { withServices } from './command-resources.ts';
import { operatorActor } from './operator.ts';
import { findOrganization, listOrganizationIds, type Organization } from './organizations.ts';

export const closeLedgerEpoch = command({
  name: 'ledger close-epoch',
  description: 'Closes a halted ledger of an organization and starts a new epoch that records the loss.',
  valueName: ['SLUG|ID'],
  options: {},
  run: ({ words }) =>
    withOrganization(words, async (services, { id, name }) => {
      const closed = await closeEpoch(services, operatorActor(), id);
      const { lost } = closed;
      return {
        json: { ledger: closed },
        lines: [
          `Closed epoch ${closed.closed} of ${name} after ${closed.kept} entries and started epoch ${closed.epoch}.`,
          lost
            ? `Lost: the entries from ${lost.from} to ${lost.to - 1}, as its first entry says.`
            : 'No known loss of entries.',
          `Its key, for auditors: ${closed.vkey}`,
        ],
      };
    }),
});

export const rotateLedgerKey = command({
  name: 'ledger rotate-key',
  description:
    'Rotates the signing key of the ledger of an organization. An entry signed with the old key records the new one.',
  valueName: ['SLUG|ID'],
  options: {},
  run: ({ words }) =>
    withOrganization(words, async (services, { id, name }) => {
      const { vkey } = await rotateKey(services, operatorActor(), id);
      return { json: { vkey }, lines: [`The ledger of ${name} signs with a new key. For auditors:`, vkey] };
    }),
});

export const rotateLedgerKeys = command({
  name: 'keys rotate-ledgers',
  description: 'Rotates the signing key of every ledger, like `ledger rotate-key`.',
  options: {},
  run: () =>
    withServices(async (services, _keys, ownerUrl) => {
      const rotated: { organization: string; vkey: string }[] = [];
      const refused: { organization: string; reason: string }[] = [];
      for (const organization of await listOrganizationIds(ownerUrl)) {
        try {
          rotated.push({ organization, ...(await rotateKey(services, operatorActor(), organization)) });
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          refused.push({ organization, reason: error.message });
        }
      }
      return {
        json: { keys: { rotated, refused } },
        lines: [
          `${rotated.length} ledgers sign with a new key. For auditors:`,
          ...rotated.map(({ organization, vkey }) => `${organization} ${vkey}`),
          ...refused.map(({ organization, reason }) => `${organization} keeps its key: ${reason}`),
        ],
        failed: refused.length > 0,
      };
    }),
});

const withOrganization = <Result>(
  [given = '']: readonly string[],
  work: (services: Services, organization: Organization) => Promise<Result>,
): Promise<Result> =>
  withServices(async (services, _keys, ownerUrl) => work(services, await findOrganization(services, ownerUrl, given)));
