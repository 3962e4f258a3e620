import { z } from 'zod';

/** What a restriction or a required build applies to. */
export const refMatcher = z.object({
  id: z.string(),
  type: z.object({ id: z.string() }).nullish(),
});
export type RefMatcher = z.output<typeof refMatcher>;

const model = z.object({
  development: z.object({ id: z.string() }).nullish(),
  production: z.object({ id: z.string() }).nullish(),
  types: z.array(z.object({ id: z.string(), prefix: z.string().nullish() })).nullish(),
});
export type BranchModel = z.output<typeof model>;

/** Parses the branching model of a repository. Throws ZodError for anything else. */
export const branchModelFrom = (json: unknown): BranchModel => model.parse(json);

/** Whether the meaning of a matcher depends on the branching model. */
export const needsModel = ({ type }: RefMatcher): boolean => type?.id.startsWith('MODEL_') ?? false;

/**
 * Whether a matcher applies to a full ref; undefined if that cannot be decided. `branches`: the branching model, undefined
 * if it is unknown.
 */
export function matches({ id, type }: RefMatcher, ref: string, branches: BranchModel | undefined): boolean | undefined {
  if (id === 'ANY_REF_MATCHER_ID') return true;
  switch (type?.id) {
    case 'ANY_REF':
      return true;
    case 'BRANCH':
      return id === ref || `refs/heads/${id}` === ref;
    case 'PATTERN':
      return matchesPattern(id, ref);
    case 'MODEL_BRANCH':
      return branches && (id === 'development' ? branches.development : branches.production)?.id === ref;
    case 'MODEL_CATEGORY': {
      const prefix = branches?.types?.find((one) => one.id === id)?.prefix;
      return branches && prefix !== undefined && prefix !== null && ref.startsWith(`refs/heads/${prefix}`);
    }
    default:
      return undefined;
  }
}

/**
 * Patterns of the vendor: `?` is a character and `*` any number within a segment, `**` any segments. A pattern may begin
 * at any segment of the ref, and one that ends with a slash includes everything below.
 */
function matchesPattern(pattern: string, ref: string): boolean {
  const whole = pattern.endsWith('/') ? `${pattern}**` : pattern;
  const form = new RegExp(
    `^(?:.*/)?${whole
      .split(/(\*\*\/|\*\*|\*|\?)/)
      .map((part) => wildcards[part] ?? part.replaceAll(/[\\^$.|+()[\]{}]/g, '\\$&'))
      .join('')}$`,
  );
  return form.test(ref);
}

const wildcards: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' };
