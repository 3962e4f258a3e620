import { Invalid } from '#core/errors.ts';
import { recordOperatorEntry } from '#core/operator-log.ts';
import { findAccountByEmail } from './accounts.ts';
import { command } from './command.ts';
import { withServices } from './command-resources.ts';
import { operatorUserName } from './operator.ts';

/** Properties of an account that only the command line changes. */
const roles = {
  employee: { column: 'is_employee', key: 'isEmployee', noun: 'an employee' },
  operator: { column: 'is_operator', key: 'isOperator', noun: 'an operator' },
} as const;

const accountRoleCommand = (role: keyof typeof roles, description: string) =>
  command({
    name: `user ${role}`,
    description,
    valueName: ['ADDRESS', 'on|off'],
    options: {},
    run: ({ words: [address = '', state = ''] }) => changeAccountRole(role, address, state),
  });

export const setEmployeeCommand = accountRoleCommand(
  'employee',
  'Grants or revokes access of a user to the Employee Settings. It grants no other permission.',
);

export const setOperatorCommand = accountRoleCommand(
  'operator',
  'Grants or revokes access of a user to the background jobs of all organizations. Takes effect immediately.',
);

async function changeAccountRole(role: keyof typeof roles, address: string, state: string) {
  if (state !== 'on' && state !== 'off') throw Invalid(`"${state}"`, 'must be on or off');
  const isOn = state === 'on';
  const { column, key, noun } = roles[role];
  return withServices(async (services) => {
    const { id, email } = await findAccountByEmail(services, address);
    await services.database.global(async (tx) => {
      const old = await tx.db
        .selectFrom('account')
        .select(`${column} as before`)
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirstOrThrow();
      await tx.db
        .updateTable('account')
        .set({ [column]: isOn })
        .where('id', '=', id)
        .execute();
      await recordOperatorEntry(tx, operatorUserName(), {
        action: `account.${role}_changed`,
        subject: { kind: 'account', id },
        data: { before: { [key]: old.before }, after: { [key]: isOn } },
      });
    });
    return {
      json: { user: { id, email, [key]: isOn } },
      lines: [`${email} is ${isOn ? 'now' : 'no longer'} ${noun}. The change is visible after they reload the page.`],
    };
  });
}
