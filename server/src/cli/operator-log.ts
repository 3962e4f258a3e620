import { Invalid } from '#core/errors.ts';
import { listOperatorEntries, type OperatorEntry } from '#core/operator-log.ts';
import { aligned, command } from './command.ts';
import { withServices } from './command-resources.ts';

export const showOperatorLog = command({
  name: 'operator log',
  description: 'Lists changes by operators that are not specific to an organization, newest first.',
  options: { last: { valueName: 'NUMBER', description: 'Number of entries, 1 to 1000. Default: 50.' } },
  run: async ({ options }) => {
    const last = Number(options.last ?? 50);
    if (!Number.isInteger(last) || last < 1 || last > 1000)
      throw Invalid('--last', 'must be a whole number from 1 to 1000');
    return withServices(async ({ database }) => {
      const entries = await database.global((tx) => listOperatorEntries(tx, last));
      return {
        json: { entries },
        lines: entries.length === 0 ? ['No entries.'] : aligned(entries.map(lineOf)),
      };
    });
  },
});

const lineOf = ({ at, operator, action, subject, data: { before, after, ...data } }: OperatorEntry) => [
  `${at}  ${operator}`,
  `${action}  ${subject.kind} ${subject.id}  ${JSON.stringify({ ...data, before, after })}`,
];
