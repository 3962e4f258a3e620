// npm run tools:catalog: writes catalog.json from the YAML files of the tool catalog.
import { writeFileSync } from 'node:fs';
import { readCatalogSource, serializeCatalog } from '../server/src/domains/tools/tools/catalog/source.ts';

writeFileSync(
  new URL('../server/src/domains/tools/tools/catalog/catalog.json', import.meta.url),
  serializeCatalog(readCatalogSource()),
);
