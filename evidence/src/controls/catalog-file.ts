import { type CanonicalValue, canonicalJson } from '../ledger/canonical.ts';
import { catalogVersion, definitions } from './catalog.ts';

/** Builds `controls/catalog.json`: the control definitions without their functions. */
export const catalogFile = (): string =>
  canonicalJson({
    version: catalogVersion,
    controls: definitions.map(
      ({ id, title, rule, population, verdicts, parameters, crosswalk, sources }) =>
        ({ id, title, rule, population, verdicts, parameters, crosswalk, sources }) as unknown as CanonicalValue,
    ),
  });
