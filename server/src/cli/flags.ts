import { type Flag, flagDefaults } from '@sightline/contract/flags.ts';
import { sql } from 'kysely';
import { Invalid } from '#core/errors.ts';
import { aligned, command } from './command.ts';
import { withServices } from './open.ts';

const names = Object.keys(flagDefaults) as Flag[];

export const listFlags = command({
  name: 'flags list',
  says: 'Shows every feature flag, whether it is on, and what a fresh installation starts from.',
  options: {},
  run: () =>
    withServices(async ({ flags }) => {
      const states = await Promise.all(names.map((name) => flags.isOn(name)));
      const rows = names.map((name, index) => ({ name, on: states[index] === true, default: flagDefaults[name] }));
      return {
        json: { flags: rows },
        lines: aligned(
          rows.map((row) => [
            row.name,
            `${wordOf(row.on)}${row.on === row.default ? '' : `, ${wordOf(row.default)} by default`}`,
          ]),
        ),
      };
    }),
});

export const setFlag = command({
  name: 'flags set',
  says: 'Turns a feature flag on or off. Servers that run notice within 5 seconds.',
  takes: ['NAME', 'on|off'],
  options: {},
  run: async ({ words: [given = '', state = ''] }) => {
    const name = names.find((known) => known === given);
    if (!name) throw Invalid(`"${given}"`, `is no feature flag. There are: ${names.join(', ')}`);
    if (state !== 'on' && state !== 'off') throw Invalid(`"${state}"`, 'must be on or off');
    const enabled = state === 'on';
    await withServices(({ database }) =>
      database.global(({ db }) =>
        db
          .insertInto('feature_flag')
          .values({ name, enabled })
          .onConflict((conflict) => conflict.column('name').doUpdateSet({ enabled, updated_at: sql<Date>`now()` }))
          .execute(),
      ),
    );
    return { json: { flag: { name, on: enabled } }, lines: [`${name} is ${state}.`] };
  },
});

const wordOf = (on: boolean) => (on ? 'on' : 'off');
