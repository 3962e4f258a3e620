// npm run limits: writes docs/rate-limits.md from the table of limits.
import { writeFileSync } from 'node:fs';
import { writeLimitsPage } from '../server/src/core/limits-page.ts';

writeFileSync(new URL('../docs/rate-limits.md', import.meta.url), writeLimitsPage());
