import { randomUUID } from 'node:crypto';
import type { Services } from '#core/services.ts';
import { closeEpoch, rotateKey } from '../features/ledger/epochs.ts';
import { command } from './command.ts';
import { withServices } from './open.ts';
import { userName } from './operator.ts';
import { findOrganization, type Organization } from './organizations.ts';

export const closeLedgerEpoch = command({
  name: 'ledger close-epoch',
  says: 'Ends the ledger of an organisation where it can no longer be gone on with, and begins another that names what is lost.',
  takes: ['SLUG|ID'],
  options: {},
  run: ({ words }) =>
    withOrganization(words, async (services, { id, name }) => {
      const closed = await closeEpoch(services, byOperator(), id);
      const { lost } = closed;
      return {
        json: { ledger: closed },
        lines: [
          `Closed epoch ${closed.closed} of ${name} after ${closed.kept} entries and began epoch ${closed.epoch}.`,
          lost
            ? `Lost: the entries from ${lost.from} to ${lost.to - 1}, as its first entry says.`
            : 'No entry is known to be lost.',
          `Its key, for auditors: ${closed.vkey}`,
        ],
      };
    }),
});

export const rotateLedgerKey = command({
  name: 'ledger rotate-key',
  says: 'Gives the ledger of an organisation a new key to sign with. The old one vouches for it in an entry.',
  takes: ['SLUG|ID'],
  options: {},
  run: ({ words }) =>
    withOrganization(words, async (services, { id, name }) => {
      const { vkey } = await rotateKey(services, byOperator(), id);
      return { json: { vkey }, lines: [`The ledger of ${name} signs with a new key. For auditors:`, vkey] };
    }),
});

const withOrganization = <Result>(
  [given = '']: readonly string[],
  work: (services: Services, organization: Organization) => Promise<Result>,
): Promise<Result> =>
  withServices(async (services, _keys, ownerUrl) => work(services, await findOrganization(services, ownerUrl, given)));

const byOperator = () => ({ operator: userName(), requestId: randomUUID() });
