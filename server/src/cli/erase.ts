import { NotFound, Refusal } from '#core/errors.ts';
import { beginErasure } from '../domains/organization/erasure/begin.ts';
import { findErasureSubject } from '../domains/organization/erasure/commands.ts';
import { runErasure } from '../domains/organization/erasure/run.ts';
import { command } from './command.ts';
import { withServices } from './command-resources.ts';
import { operatorActor } from './operator.ts';
import { findOrganization, organizationOption } from './organizations.ts';

export const erasePersonCommand = command({
  name: 'person erase',
  description:
    'Erases a person from an organization for good: key, names, and whatever names them. It cannot be undone.',
  valueName: ['ADDRESS'],
  options: {
    org: organizationOption,
    yes: { description: 'Confirms the deletion. Required.' },
  },
  run: async ({ words: [address = ''], options }) => {
    if (!options.yes)
      throw new Refusal('validation_failed', 'Add --yes to delete the data permanently. This cannot be undone.');
    return withServices(async (services, _keys, ownerUrl) => {
      const { id: orgId, name } = await findOrganization(services, ownerUrl, options.org);
      const erasureId = await services.database.withOrg(orgId, async (tx) => {
        await tx.db.selectFrom('organization').select('id').where('id', '=', orgId).forNoKeyUpdate().execute();
        const known = await tx.db
          .selectFrom('identity')
          .select('person_id')
          .where('org_id', '=', orgId)
          .where('kind', '=', 'email')
          .where('value', '=', address.toLowerCase())
          .executeTakeFirst();
        if (!known) throw NotFound(`Person with this address in ${name}`);
        const subject = await findErasureSubject(tx, orgId, { kind: 'person', id: known.person_id });
        const actor = operatorActor();
        return beginErasure(services, tx, orgId, {
          actor,
          erasureSubject: subject,
          begin: { basis: 'operator', requestedBy: null },
        });
      });
      await runErasure(services, orgId, erasureId);
      return {
        json: { erasure: { id: erasureId, organization: orgId } },
        lines: [
          `Deleted from ${name}. Earlier backups contain the data until they are deleted.`,
          'Later activity at the code host is recorded as a new person.',
        ],
      };
    });
  },
});
