import { Conflict } from '#core/errors.ts';
import { recordOperatorEntry } from '#core/operator-log.ts';
import { createOperatorCode } from '../domains/sources/github/operator-codes.ts';
import { setupPath } from '../domains/sources/github/setup-pages.ts';
import { setupCodePurpose } from '../domains/sources/github/setup-routes.ts';
import { command } from './command.ts';
import { withServices } from './command-resources.ts';
import { operatorUserName } from './operator.ts';

export const setUpGithubApp = command({
  name: 'github-app',
  description: 'Prints a setup code for the GitHub app, for use in the browser. Valid once, for one hour.',
  options: {},
  run: () =>
    withServices(async ({ config, database, githubApps }) => {
      if (await githubApps.find()) throw Conflict('This installation already has a GitHub app.');
      const code = await database.global(async (tx) => {
        await recordOperatorEntry(tx, operatorUserName(), {
          action: 'github_app.setup_code_made',
          subject: { kind: 'github_app', id: 'new' },
          data: {},
        });
        return createOperatorCode(tx, setupCodePurpose);
      });
      const url = `${config.PUBLIC_URL}${setupPath}`;
      return {
        json: { code, url },
        lines: [`Open ${url} within an hour and enter this code:`, '', `  ${code}`],
      };
    }),
});
