/** The callers of an endpoint, or of a namespace of sockets, in the tests of this folder. */
export const principals = [
  // unauthenticated or with an invalid token
  'anonymous',
  'expired',
  'forged',
  'algNone',
  'wrongAudience',
  // an account without a selected organization
  'account',
  // members
  'owner',
  'contributor',
  'reviewer',
  'auditor',
  // the owner of another organization: with its own token and the IDs of the first one, and with a token for the first
  // one
  'otherOwner',
  'intruder',
  // with an unexpired token
  'deactivated',
  'removed',
  // a client with an access key of the organization, with a revoked one, with one of another organization
  'accessKey',
  'revokedKey',
  'otherKey',
  // an extension of the owner, of the owner of the other organization, a disconnected one, one of a deactivated member
  'extension',
  'otherExtension',
  'endedExtension',
  'shutOutExtension',
  // the portal session of an external auditor, and one of another organization's portal
  'portal',
  'otherPortal',
  // a token that a server in direct mode issued for one of its external issuer: to another owner, to one of the other
  // organization, in an ended session, to a deactivated member
  'exchanged',
  'otherExchanged',
  'endedExchanged',
  'shutOutExchanged',
] as const;
export type Principal = (typeof principals)[number];
/** `ok` is the success status of the endpoint, a number the status of a refusal. */
export type AccessOutcome = 'ok' | `${number}`;

type Status = 'ok' | 400 | 401 | 403 | 404 | 409 | 502;
type Role = (typeof roles)[number];

/**
 * Who may call an endpoint. It repeats no declaration of the contract: a wrong scope, permission or role there must
 * contradict it.
 */
export interface Access {
  /** The others get 401 without an account, 403 without the role, and 404 without a session of the portal. */
  allows: 'everyone' | 'accounts' | 'members' | 'portals' | readonly Role[];
  /** The status that those get who may call it, if the example request is refused. */
  status?: Status;
  /** The status that the owner of another organization gets for the IDs of this one, if it is not that of the owner. */
  foreign?: Status;
  /** The status that accounts get for an item of the owner's account. */
  otherAccounts?: Status;
  /** Other credentials that the endpoint accepts. */
  accepts?: 'extensions' | 'accessKeys';
  /** The remaining differences. */
  except?: Partial<Record<Principal, Status>>;
}

const roles = ['owner', 'contributor', 'reviewer', 'auditor'] as const;
const withAccount = ['account', ...roles, 'otherOwner', 'intruder', 'deactivated', 'removed'] as const;

type Outcomes = Partial<Record<Principal, Status>>;
const all = (names: readonly Principal[], status: Status): Outcomes =>
  Object.fromEntries(names.map((name) => [name, status]));

/** Returns the outcomes of those who send a token of an account. */
function outcomesWithAccount({ allows, status = 'ok', foreign = status, otherAccounts }: Access): Outcomes {
  if (allows === 'everyone') return all(withAccount, status);
  if (allows === 'portals') return all(withAccount, 404);
  if (allows === 'accounts') return { ...all(withAccount, otherAccounts ?? status), account: status, owner: status };
  const allowed = allows === 'members' ? roles : allows;
  return { ...all(withAccount, 403), ...all(allowed, status), otherOwner: foreign };
}

/** Returns the response of an endpoint to every principal. */
export function outcomesOf(access: Access): Record<Principal, AccessOutcome> {
  const { allows, status = 'ok', otherAccounts, accepts, except } = access;
  const refused = allows === 'everyone' ? status : allows === 'portals' ? 404 : 401;
  const people: Outcomes = { ...outcomesWithAccount(access), ...except };
  const outcomes: Outcomes = {
    ...all(principals, refused),
    ...people,
    ...(accepts === 'accessKeys' && { accessKey: 'ok', revokedKey: 401, otherKey: 404 }),
    ...(accepts === 'extensions' && { extension: 'ok', otherExtension: 'ok', shutOutExtension: 403 }),
    ...(allows === 'portals' && { portal: status }),
    // An exchanged token counts as one that this server issued to its owner, who owns no item of the owner's account.
    exchanged: otherAccounts ?? people.owner ?? refused,
    otherExchanged: otherAccounts ?? people.otherOwner ?? refused,
    shutOutExchanged: people.deactivated ?? refused,
    ...except,
  };
  return Object.fromEntries(principals.map((name) => [name, `${outcomes[name]}`])) as Record<Principal, AccessOutcome>;
}
