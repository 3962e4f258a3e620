// npm run controls: writes the lists of controls from their files, and docs/controls.md and the hash of the
// catalog for the second verifier from their definitions, and docs/control-scenarios.md from the table of scenarios.
import { writeFileSync } from 'node:fs';
import { scenarioPage } from '../sandbox/src/planted/table/scenario-page.ts';
import { controlFiles } from './control-files.ts';

const write = (path: string, text: string) => writeFileSync(new URL(`../${path}`, import.meta.url), text);

for (const [path, text] of Object.entries(await controlFiles())) write(path, text);
// Reads the lists.
const { catalogHashModule, writeCatalog } = await import('../evidence/src/controls/catalog-page.ts');
write('docs/controls.md', writeCatalog());
write('evidence/second/catalog.py', catalogHashModule());
write('docs/control-scenarios.md', scenarioPage());
