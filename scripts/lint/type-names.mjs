// Rejects types whose name is declared in more than three files, because such a name is ambiguous: `npm run lint`.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const MAX_DECLARATIONS = 3;
/** Generated types are named after tables. */
const generated = 'server/src/database/tables.ts';

const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && file !== generated);
const declarations = files.flatMap((file) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/^(?:export )?(?:interface|type) (\w+)\b(?! ?[,}])/gm)].map(
    ([, name]) => ({ name, file }),
  ),
);
const tooMany = [...Map.groupBy(declarations, ({ name }) => name)].filter(([, all]) => all.length > MAX_DECLARATIONS);
for (const [name, all] of tooMany) {
  console.error(`${all.length} types are called ${name}: name each by what it holds.`);
  for (const { file } of all) console.error(`  ${file}`);
}
if (tooMany.length > 0) process.exitCode = 1;
