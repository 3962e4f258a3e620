import { readFileSync } from 'node:fs';
import type { CatalogData } from './source.ts';

/** The tool catalog, built from the YAML files by `npm run tools:catalog`. */
export const toolCatalog: CatalogData = JSON.parse(readFileSync(new URL('./catalog.json', import.meta.url), 'utf8'));
