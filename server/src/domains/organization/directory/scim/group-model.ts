import { invalidValue, ScimError } from './errors.ts';
import { asRecord, isRecord, type PatchOperation, parsePath, textOf } from './patch.ts';

export interface ScimGroup {
  displayName: string;
  externalId?: string | undefined;
}

/** Changes of the members of a group, in order. */
export type MemberChange = { did: 'add' | 'remove'; users: readonly string[] } | { did: 'clear' };

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const memberFilter = /^\s*value\s+eq\s+"([^"]*)"\s*$/i;

export interface GroupBody extends ScimGroup {
  /** Undefined if the body names none. */
  members: string[] | undefined;
}

/** Parses the body of a created or replaced group. Throws 400. */
export function parseGroup(body: unknown): GroupBody {
  const group: GroupBody = { displayName: '', members: undefined };
  for (const [key, value] of Object.entries(asRecord(body, 'The body'))) {
    const { attribute } = parsePath(key);
    if (attribute === 'members') group.members = value === null ? [] : idsOf(value);
    else setGroupAttribute(group, attribute, value);
  }
  if (group.displayName.trim() === '') throw invalidValue('displayName is needed.');
  return group;
}

/** Applies the operations of a PATCH: returns the group and the changes of its members. Throws 400. */
export function patchGroup(
  group: ScimGroup,
  operations: readonly PatchOperation[],
): { group: ScimGroup; changes: MemberChange[] } {
  const patched = { ...group };
  const changes: MemberChange[] = [];
  const apply = (op: PatchOperation['op'], path: string, value: unknown) => {
    const { attribute, filter } = parsePath(path);
    if (attribute === 'members') changes.push(...memberChanges(op, filter, value));
    else if (op === 'remove') removeGroupAttribute(patched, attribute);
    else setGroupAttribute(patched, attribute, value);
  };
  for (const { op, path, value } of operations) {
    if (path !== undefined) apply(op, path, value);
    else for (const [key, one] of Object.entries(asRecord(value, 'A value without a path'))) apply(op, key, one);
  }
  if (patched.displayName.trim() === '') throw invalidValue('displayName is needed.');
  return { group: patched, changes };
}

/** Entra removes members by a list of values, Okta by a filter in the path. */
function memberChanges(op: PatchOperation['op'], filter: string | undefined, value: unknown): MemberChange[] {
  if (filter !== undefined) {
    const [, id] = memberFilter.exec(filter) ?? [];
    if (id === undefined) throw new ScimError(400, 'Members are selected by value eq.', 'invalidFilter');
    if (op !== 'remove') throw new ScimError(400, 'A member cannot be changed.', 'mutability');
    return [{ did: 'remove', users: uuidForm.test(id) ? [id.toLowerCase()] : [] }];
  }
  if (op === 'add') return [{ did: 'add', users: idsOf(value) }];
  if (op === 'replace') return [{ did: 'clear' }, { did: 'add', users: idsOf(value) }];
  return value === undefined || value === null ? [{ did: 'clear' }] : [{ did: 'remove', users: idsOf(value) }];
}

function idsOf(value: unknown): string[] {
  const ids = [value].flat().map((one) => (isRecord(one) ? one.value : one));
  return ids.map((id) => {
    if (typeof id !== 'string' || !uuidForm.test(id)) throw invalidValue('A member is no user of this directory.');
    return id.toLowerCase();
  });
}

function setGroupAttribute(group: ScimGroup, attribute: string, value: unknown): void {
  if (attribute === 'displayname') group.displayName = textOf(value, 'displayName', 200);
  else if (attribute === 'externalid') group.externalId = value === null ? undefined : textOf(value, 'externalId', 200);
}

function removeGroupAttribute(group: ScimGroup, attribute: string): void {
  if (attribute === 'displayname') throw new ScimError(400, 'displayName cannot be removed.', 'mutability');
  if (attribute === 'externalid') group.externalId = undefined;
}
