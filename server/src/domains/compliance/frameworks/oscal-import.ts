import { MAX_REQUIREMENTS } from '@sightline/contract/compliance/frameworks.ts';
import { boundedText } from '@sightline/contract/core/text.ts';
import { sp80053 } from '@sightline/evidence/frameworks/sp800-53.ts';
import { z } from 'zod';
import { Invalid } from '#core/errors.ts';

/** The requirements of an OSCAL document in its order, and its title with its version. */
export interface ImportedProfile {
  source: string;
  requirements: { id: string; title: string }[];
}

// Tokens of OSCAL, limited in length.
const token = boundedText(100).regex(/^[\p{L}_][\p{L}\p{N}.\-_()]*$/u, { error: 'must be an OSCAL token' });
const metadata = z.looseObject({ title: boundedText(300).min(1), version: boundedText(100).min(1) });

interface CatalogControl {
  id: string;
  title: string;
  controls?: CatalogControl[] | undefined;
}
const catalogControl: z.ZodType<CatalogControl> = z.lazy(() =>
  z.looseObject({ id: token, title: boundedText(300).min(1), controls: z.array(catalogControl).optional() }),
);
interface CatalogGroup {
  groups?: CatalogGroup[] | undefined;
  controls?: CatalogControl[] | undefined;
}
const catalogGroup: z.ZodType<CatalogGroup> = z.lazy(() =>
  z.looseObject({ groups: z.array(catalogGroup).optional(), controls: z.array(catalogControl).optional() }),
);
const catalog = z.looseObject({
  metadata,
  groups: z.array(catalogGroup).optional(),
  controls: z.array(catalogControl).optional(),
});

const profileImport = z.looseObject({
  href: boundedText(2000).min(1),
  'include-all': z.undefined({ error: 'cannot be resolved: the import must list the controls with-ids' }).optional(),
  'include-controls': z
    .array(z.looseObject({ 'with-ids': z.array(token).min(1) }), { error: 'must list the controls with-ids' })
    .min(1),
  'exclude-controls': z.undefined({ error: 'is not supported: list the included controls only' }).optional(),
});
const profile = z.looseObject({ metadata, imports: z.array(profileImport).min(1, { error: 'must import a catalog' }) });

const profileDocument = z.strictObject({ profile });
const catalogDocument = z.strictObject({ catalog });

/** Maximum depth of JSON, so that a document of brackets cannot exhaust the stack. */
const MAX_DEPTH = 40;

/** Reads an OSCAL profile or catalog. Throws 400 with the field at fault. */
export function readOscal(text: string): ImportedProfile {
  const document = parseJson(text);
  const [kind, ...others] = Object.keys(document);
  if ((kind !== 'profile' && kind !== 'catalog') || others.length > 0) {
    throw Invalid('document', 'must be an OSCAL profile or catalog, and contain nothing else');
  }
  const parsed = kind === 'profile' ? profileDocument.safeParse(document) : catalogDocument.safeParse(document);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw Invalid(['document', ...(issue?.path ?? [])].join('.'), issue?.message ?? 'is invalid');
  }
  const value = parsed.data;
  const found = 'profile' in value ? profileRequirements(value.profile) : requirementsIn(value.catalog);
  const about = 'profile' in value ? value.profile.metadata : value.catalog.metadata;
  requireDistinct(found);
  return { source: `${about.title}, version ${about.version}`, requirements: found };
}

function parseJson(text: string): object {
  if (depthOf(text) > MAX_DEPTH) throw Invalid('document', `must have at most ${MAX_DEPTH} levels`);
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    throw Invalid('document', 'must be JSON');
  }
  throw Invalid('document', 'must be a JSON object');
}

/** The number of nested objects and lists of JSON text, outside of its strings. */
function depthOf(text: string): number {
  let [depth, deepest, isString] = [0, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') isString = !isString;
    else if (isString && character === '\\') at += 1;
    else if (!isString && (character === '{' || character === '[')) deepest = Math.max(deepest, ++depth);
    else if (!isString && (character === '}' || character === ']')) depth -= 1;
  }
  return deepest;
}

/** A profile has no titles. Those of NIST SP 800-53 are known; other requirements are shown by their ID. */
const profileRequirements = ({ imports }: z.output<typeof profile>) =>
  imports
    .flatMap((one) => one['include-controls'].flatMap((selection) => selection['with-ids']))
    .map((id) => ({ id, title: nistTitles.get(nistId(id)) ?? id }));

const nistTitles = new Map(sp80053.requirements.map(([id, title]) => [id, title]));

/** `ac-6.7` in OSCAL is AC-6(7) in the publication. */
const nistId = (id: string): string => id.toUpperCase().replace(/\.(\d+)$/, '($1)');

function requirementsIn(of: CatalogGroup): ImportedProfile['requirements'] {
  const own = (control: CatalogControl): ImportedProfile['requirements'] => [
    { id: control.id, title: control.title.replaceAll(/\s+/g, ' ').trim() },
    ...(control.controls ?? []).flatMap(own),
  ];
  return [...(of.controls ?? []).flatMap(own), ...(of.groups ?? []).flatMap(requirementsIn)];
}

function requireDistinct(found: ImportedProfile['requirements']): void {
  if (found.length === 0) throw Invalid('document', 'must contain a control');
  if (found.length > MAX_REQUIREMENTS) throw Invalid('document', `must have at most ${MAX_REQUIREMENTS} controls`);
  const seen = new Set<string>();
  for (const { id } of found) {
    if (seen.has(id)) throw Invalid('document', `must name the control ${id} once`);
    seen.add(id);
  }
}
