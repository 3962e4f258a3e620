import { invalidValue, ScimError } from './errors.ts';

export interface PatchOperation {
  op: 'add' | 'replace' | 'remove';
  path: string | undefined;
  value: unknown;
}

const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const MAX_OPERATIONS = 1000;
const operations = ['add', 'replace', 'remove'] as const;

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function asRecord(value: unknown, what: string): Record<string, unknown> {
  if (isRecord(value)) return value;
  throw new ScimError(400, `${what} must be an object.`, 'invalidSyntax');
}

/** A text without control characters. Throws 400 for other values and longer texts. */
export function textOf(value: unknown, name: string, maxLength: number): string {
  if (typeof value !== 'string') throw invalidValue(`${name} must be text.`);
  if (value.length > maxLength) throw invalidValue(`${name} is longer than ${maxLength} characters.`);
  if (/\p{Cc}/u.test(value)) throw invalidValue(`${name} contains control characters.`);
  return value;
}

/** Parses the body of a PATCH. Entra writes operations with a capital letter. Throws 400. */
export function parsePatch(body: unknown): PatchOperation[] {
  const { schemas, Operations: given } = asRecord(body, 'The body');
  if (!Array.isArray(schemas) || !schemas.includes(PATCH_SCHEMA))
    throw new ScimError(400, `schemas must contain ${PATCH_SCHEMA}.`, 'invalidSyntax');
  if (!Array.isArray(given) || given.length === 0)
    throw new ScimError(400, 'Operations must be a list of at least one operation.', 'invalidSyntax');
  if (given.length > MAX_OPERATIONS)
    throw new ScimError(413, `A request contains at most ${MAX_OPERATIONS} operations.`, 'tooMany');
  return given.map((one) => {
    const { op: name, path, value } = asRecord(one, 'An operation');
    const op = operations.find((known) => known === String(name).toLowerCase());
    if (!op) throw new ScimError(400, 'op must be add, replace or remove.', 'invalidSyntax');
    if (path !== undefined && typeof path !== 'string') throw new ScimError(400, 'path must be text.', 'invalidPath');
    if (op === 'remove' && !path) throw new ScimError(400, 'remove needs a path.', 'noTarget');
    if (op !== 'remove' && value === undefined) throw invalidValue(`${op} needs a value.`);
    return { op, path: path || undefined, value };
  });
}

interface AttributePath {
  /** In lower case, without the schema of users and groups; `extension` for those of other schemas. */
  attribute: string;
  filter: string | undefined;
  sub: string | undefined;
}

const MAX_PATH_LENGTH = 500;
const pathForm = /^([A-Za-z$][\w$-]*)(?:\[(.+)\])?(?:\.([A-Za-z$][\w$-]*))?$/s;

/** Parses a path of RFC 7644, section 3.5.2, such as `emails[type eq "work"].value`. Throws 400. */
export function parsePath(path: string): AttributePath {
  if (path.length > MAX_PATH_LENGTH) throw new ScimError(400, 'The path is too long.', 'invalidPath');
  const own = path.replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i, '');
  if (/^urn:/i.test(own)) return { attribute: 'extension', filter: undefined, sub: undefined };
  const [, attribute, filter, sub] = pathForm.exec(own.trim()) ?? [];
  if (attribute === undefined) throw new ScimError(400, 'The path is not valid.', 'invalidPath');
  return { attribute: attribute.toLowerCase(), filter, sub };
}
