import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { ensureInstalled, root } from './install.mjs';
import { pinnedEnv } from './npm.mjs';
import { explained, giveUp } from './progress.mjs';

/**
 * `npm run fuzz [ROUNDS]`: repeats every property test with new seeds until one fails, for at most ROUNDS rounds (10).
 */
try {
  const rounds = Number(process.argv[2] ?? 10);
  if (!Number.isInteger(rounds) || rounds < 1) throw explained(`Rounds are a whole number, not ${process.argv[2]}`);
  const node = await ensureInstalled();
  const files = spawnSync('git', ['grep', '-l', "from 'fast-check'", '--', '*.test.ts'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (files.status !== 0) throw explained('The property tests are found with git, in a checkout of it');
  const vitest = [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...files.stdout.trim().split('\n')];
  for (let round = 1; round <= rounds; round += 1) {
    const seed = String(randomInt(2 ** 31));
    console.log(`Round ${round} of ${rounds}, FUZZ_SEED=${seed}`);
    const env = { ...pinnedEnv(root, node), FUZZ_SEED: seed };
    const { status } = spawnSync(node, vitest, { cwd: root, stdio: 'inherit', env });
    if (status !== 0) throw explained(`Round ${round} failed; FUZZ_SEED=${seed} npx vitest run FILE shows it again`);
  }
} catch (error) {
  giveUp(error);
}
