import { Invalid } from '#core/errors.ts';
import { recordOperatorEntry } from '#core/operator-log.ts';
import { findAccountByEmail } from './accounts.ts';
import { command } from './command.ts';
import { withServices } from './command-resources.ts';
import { operatorUserName } from './operator.ts';

export const setEmployeeCommand = command({
  name: 'user employee',
  description: 'Grants or revokes access of a user to the Employee Settings. It grants no other permission.',
  valueName: ['ADDRESS', 'on|off'],
  options: {},
  run: async ({ words: [address = '', state = ''] }) => {
    if (state !== 'on' && state !== 'off') throw Invalid(`"${state}"`, 'must be on or off');
    const isEmployee = state === 'on';
    return withServices(async (services) => {
      const { id, email } = await findAccountByEmail(services, address);
      await services.database.global(async (tx) => {
        const old = await tx.db
          .selectFrom('account')
          .select('is_employee')
          .where('id', '=', id)
          .forUpdate()
          .executeTakeFirstOrThrow();
        await tx.db.updateTable('account').set({ is_employee: isEmployee }).where('id', '=', id).execute();
        await recordOperatorEntry(tx, operatorUserName(), {
          action: 'account.employee_changed',
          subject: { kind: 'account', id },
          data: { before: { isEmployee: old.is_employee }, after: { isEmployee } },
        });
      });
      return {
        json: { user: { id, email, isEmployee } },
        lines: [
          `${email} is ${isEmployee ? 'now' : 'no longer'} an employee. The change is visible after they reload the page.`,
        ],
      };
    });
  },
});
