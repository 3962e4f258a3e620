import { NotFound } from '#core/errors.ts';
import { checkLedger } from '../../domains/ledger/ledger/check/check.ts';
import { withServices } from '../command-resources.ts';
import { findOrganization } from '../organizations.ts';
import { type DoctorCheck, failedCheck, passedCheck, runCheck } from './check.ts';

const advice = 'See docs/ledger.md for causes and remedies. Copy the database before you change anything.';

/**
 * Verifies the complete ledger of an organization, or of each. Returns one line per problem, with its location.
 */
export const checkLedgers = (given: string | undefined): Promise<DoctorCheck[]> =>
  withServices(async (services, _keys, ownerUrl) => {
    const one = given === undefined ? undefined : (await findOrganization(services, ownerUrl, given)).id;
    const { rows } = await services.database.pool.query<{ id: string }>('select every_organization() as id');
    const ids = rows.map(({ id }) => id).filter((id) => one === undefined || id === one);
    if (one !== undefined && ids.length === 0) throw NotFound('Organization');
    const checks: DoctorCheck[] = [];
    for (const id of ids) {
      const found: DoctorCheck[] = [];
      const overall = await runCheck('ledger', async () => {
        const checked = await checkLedger(services, id);
        if (!checked) return passedCheck('ledger', `${id}: no entries`);
        for (const { epoch, message } of checked.problems) {
          found.push(
            failedCheck('ledger', `${id}: epoch ${epoch}, ${message}`, found.length === 0 ? advice : undefined),
          );
        }
        return passedCheck(
          'ledger',
          `${id}: all ${checked.size} entries of epoch ${checked.epoch} match the signed checkpoints`,
        );
      });
      checks.push(...(found.length > 0 ? found : [overall]));
    }
    return checks;
  });
