// npm run format:vectors -- FOLDER: writes the test vectors of the format of bundles. docs/format/README.md describes them.
import { resolve } from 'node:path';
import { writeVectors } from '../evidence/src/bundle/testing/write-vectors.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('npm run format:vectors -- FOLDER');
  process.exitCode = 1;
} else {
  const { bundles, evaluations } = await writeVectors(resolve(folder));
  console.log(`${bundles.length} bundles and ${evaluations.length} evaluations in ${folder}`);
}
