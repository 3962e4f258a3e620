// npm run controls: writes docs/controls.md from the catalog of controls.
import { writeFileSync } from 'node:fs';
import { writeCatalog } from '../evidence/src/controls/catalog-page.ts';

writeFileSync(new URL('../docs/controls.md', import.meta.url), writeCatalog());
