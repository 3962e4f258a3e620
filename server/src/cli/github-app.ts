import { Conflict } from '#core/errors.ts';
import { recordOperator } from '#core/operator-log.ts';
import { makeOperatorCode } from '../domains/sources/github/operator-codes.ts';
import { setupPath } from '../domains/sources/github/setup-pages.ts';
import { setupPurpose } from '../domains/sources/github/setup-routes.ts';
import { command } from './command.ts';
import { withServices } from './open.ts';
import { userName } from './operator.ts';

export const setUpGithubApp = command({
  name: 'github-app',
  says: 'Gives a code to set up the GitHub app with, in the browser. It works once, within an hour.',
  options: {},
  run: () =>
    withServices(async ({ config, database, githubApps }) => {
      if (await githubApps.find()) throw Conflict('This installation has a GitHub app already.');
      const code = await database.global(async (tx) => {
        await recordOperator(tx, userName(), {
          action: 'github_app.setup_code_made',
          subject: { kind: 'github_app', id: 'new' },
          data: {},
        });
        return makeOperatorCode(tx, setupPurpose);
      });
      const url = `${config.PUBLIC_URL}${setupPath}`;
      return {
        json: { code, url },
        lines: [`Open ${url} within an hour and enter this code:`, '', `  ${code}`],
      };
    }),
});
