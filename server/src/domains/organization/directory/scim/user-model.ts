import { isDeepStrictEqual } from 'node:util';
import { filter as matcherOf, parse } from 'scim2-parse-filter';
import { invalidValue, ScimError } from './errors.ts';
import { asRecord, isRecord, type PatchOperation, parsePath, textOf } from './patch.ts';

interface ScimEmail {
  value: string;
  type?: string;
  primary?: boolean;
}

/** The attributes of a user that are stored. A directory may send others, which are ignored (data minimization). */
export interface ScimUser {
  userName: string;
  externalId?: string | undefined;
  active: boolean;
  displayName?: string | undefined;
  name?: { formatted?: string; givenName?: string; familyName?: string } | undefined;
  emails: ScimEmail[];
}

const nameParts = ['formatted', 'givenName', 'familyName'] as const;
const MAX_EMAILS = 20;

/** Parses the body of a created or replaced user. Throws 400. */
export function parseUser(body: unknown): ScimUser {
  const user: ScimUser = { userName: '', active: true, emails: [] };
  for (const [key, value] of Object.entries(asRecord(body, 'The body'))) setAttribute(user, key, value, 'replace');
  return checked(user);
}

/** Applies the operations of a PATCH to a user. Throws 400; then `user` is unchanged. */
export function patchUser(user: ScimUser, operations: readonly PatchOperation[]): ScimUser {
  const patched = structuredClone(user);
  for (const { op, path, value } of operations) {
    if (path === undefined) {
      for (const [key, one] of Object.entries(asRecord(value, 'A value without a path')))
        applyAt(patched, op, key, one);
    } else applyAt(patched, op, path, value);
  }
  return checked(patched);
}

/** Whether two users have the same attributes. Undefined ones count as missing. */
export const isSameUser = (one: ScimUser, other: ScimUser): boolean =>
  isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));

/** The primary address in lower case, else that of work, else the first, else a user name that is an address. */
export function addressOf({ emails, userName }: ScimUser): string | undefined {
  const chosen =
    emails.find(({ primary }) => primary === true) ?? emails.find(({ type }) => type === 'work') ?? emails[0];
  const address = (chosen?.value ?? userName).trim().toLowerCase();
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(address) && address.length <= 254 ? address : undefined;
}

/** The name that people read. */
export function nameOf({ displayName, name, userName }: ScimUser): string {
  const full = [name?.givenName, name?.familyName].filter(Boolean).join(' ');
  return (displayName || name?.formatted || full || userName).slice(0, 200);
}

function checked(user: ScimUser): ScimUser {
  if (user.userName.trim() === '') throw invalidValue('userName is needed.');
  if (user.emails.length > MAX_EMAILS) throw invalidValue(`A user has at most ${MAX_EMAILS} emails.`);
  // Two primary addresses would make the account depend on their order.
  if (user.emails.filter(({ primary }) => primary).length > 1) throw invalidValue('Only one email can be primary.');
  return user;
}

function applyAt(user: ScimUser, op: PatchOperation['op'], path: string, value: unknown): void {
  const { attribute, filter, sub } = parsePath(path);
  if (attribute === 'emails' && (filter !== undefined || sub !== undefined)) {
    user.emails = patchEmails(user.emails, { op, filter, sub, value });
    return;
  }
  if (attribute === 'emails' && op === 'remove' && value !== undefined) {
    const removed = new Set(emailsOf(value).map((email) => email.value));
    user.emails = user.emails.filter((email) => !removed.has(email.value));
    return;
  }
  if (filter !== undefined) return;
  if (op === 'remove') removeAttribute(user, attribute, sub);
  else setAttribute(user, sub === undefined ? attribute : `${attribute}.${sub}`, value, op);
}

function removeAttribute(user: ScimUser, attribute: string, sub: string | undefined): void {
  switch (attribute) {
    case 'username':
    case 'active':
      throw new ScimError(400, `${attribute} cannot be removed.`, 'mutability');
    case 'externalid':
      user.externalId = undefined;
      break;
    case 'displayname':
      user.displayName = undefined;
      break;
    case 'name':
      if (sub === undefined) user.name = undefined;
      else setNamePart(user, sub, undefined);
      break;
    case 'emails':
      user.emails = [];
      break;
  }
}

/** Sets an attribute by its name in any notation. Unknown attributes are ignored. */
function setAttribute(user: ScimUser, key: string, value: unknown, op: 'add' | 'replace'): void {
  const { attribute, sub } = parsePath(key);
  switch (attribute) {
    case 'username':
      user.userName = textOf(value, 'userName', 200);
      break;
    case 'externalid':
      user.externalId = value === null ? undefined : textOf(value, 'externalId', 200);
      break;
    case 'active':
      user.active = booleanOf(value);
      break;
    case 'displayname':
      user.displayName = value === null ? undefined : textOf(value, 'displayName', 200);
      break;
    case 'name':
      if (sub !== undefined) setNamePart(user, sub, value);
      else if (value === null) user.name = undefined;
      else for (const [part, text] of Object.entries(asRecord(value, 'name'))) setNamePart(user, part, text);
      break;
    case 'emails': {
      const given = value === null ? [] : emailsOf(value);
      user.emails = op === 'replace' ? given : merged(user.emails, given);
      break;
    }
  }
}

function setNamePart(user: ScimUser, part: string, value: unknown): void {
  const known = nameParts.find((one) => one.toLowerCase() === part.toLowerCase());
  if (known === undefined) return;
  const name = { ...user.name };
  if (value === undefined || value === null || value === '') delete name[known];
  else name[known] = textOf(value, `name.${known}`, 200);
  user.name = Object.keys(name).length === 0 ? undefined : name;
}

/** Microsoft Entra sends booleans as text unless its address has the query parameter of the standard form. */
function booleanOf(value: unknown): boolean {
  const text = typeof value === 'string' ? value.toLowerCase() : value;
  if (text === true || text === 'true') return true;
  if (text === false || text === 'false') return false;
  throw invalidValue('active must be true or false.');
}

const emailsOf = (value: unknown): ScimEmail[] => [value].flat().map(emailOf);

function emailOf(value: unknown): ScimEmail {
  if (typeof value === 'string') return { value: textOf(value, 'emails.value', 254) };
  const { value: address, type, primary } = asRecord(value, 'An email');
  return {
    value: textOf(address, 'emails.value', 254),
    ...(typeof type === 'string' && { type: textOf(type, 'emails.type', 50) }),
    ...(primary !== undefined && primary !== null && { primary: booleanOf(primary) }),
  };
}

/** Adds addresses. A new primary address takes the place of the earlier one (RFC 7644, section 3.5.2). */
function merged(before: readonly ScimEmail[], added: readonly ScimEmail[]): ScimEmail[] {
  const isReplaced = added.some(({ primary }) => primary);
  const kept = before
    .filter((one) => !added.some((other) => other.value === one.value && other.type === one.type))
    .map((one) => (isReplaced && one.primary ? { ...one, primary: false } : one));
  return [...kept, ...added];
}

function patchEmails(
  emails: readonly ScimEmail[],
  {
    op,
    filter,
    sub,
    value,
  }: { op: PatchOperation['op']; filter: string | undefined; sub: string | undefined; value: unknown },
): ScimEmail[] {
  const matches = filter === undefined ? () => true : matcher(filter);
  const part = sub?.toLowerCase();
  if (part !== undefined && !['value', 'type', 'primary', 'display'].includes(part))
    throw new ScimError(400, `emails has no attribute ${sub}.`, 'invalidPath');
  if (op === 'remove' && part === undefined) return emails.filter((email) => !matches(email));
  const change = (email: Partial<ScimEmail>) => emailOf({ ...email, ...changeOf(op, part, value) });
  if (emails.some(matches)) return emails.map((email) => (matches(email) ? change(email) : email));
  if (op === 'remove') return [...emails];
  const selected = filter === undefined ? {} : equalities(filter);
  if (!selected) throw new ScimError(400, 'The filter of the path matches no email.', 'noTarget');
  return [...emails, change(selected)];
}

function changeOf(op: PatchOperation['op'], part: string | undefined, value: unknown): Record<string, unknown> {
  if (part === undefined) return isRecord(value) ? value : { value };
  if (part === 'display') return {};
  return { [part]: op === 'remove' ? undefined : value };
}

function matcher(text: string): (email: ScimEmail) => boolean {
  try {
    const test = matcherOf(parse(text));
    return (email) => test(email);
  } catch {
    throw new ScimError(400, 'The filter of the path is not valid.', 'invalidPath');
  }
}

/** The attributes of an element that a path such as `emails[type eq "work"].value` creates if there is none. */
function equalities(text: string): Record<string, unknown> | undefined {
  const node = parse(text);
  if (node.op !== 'eq') return undefined;
  const key = node.attrPath.toLowerCase();
  return key === 'type' || key === 'primary' ? { [key]: node.compValue } : undefined;
}
