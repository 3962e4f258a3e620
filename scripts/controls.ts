// npm run controls: writes docs/controls.md from the catalogue of controls.
import { writeFileSync } from 'node:fs';
import { writeCatalogue } from '../evidence/src/controls/catalogue-page.ts';

writeFileSync(new URL('../docs/controls.md', import.meta.url), writeCatalogue());
