/** A required permission: the scopes that each grant it, and the message if it is missing. */
interface RequiredScope {
  scopes: readonly string[];
  without: string;
}

// OAuth consumers and access tokens use short names, API tokens long ones.
const requiredScopes: readonly RequiredScope[] = [
  {
    scopes: ['repository', 'repository:write', 'repository:admin', 'read:repository:bitbucket'],
    without: 'Repositories and commits cannot be read: add the scope “repository” (read:repository:bitbucket).',
  },
  {
    scopes: ['pullrequest', 'pullrequest:write', 'read:pullrequest:bitbucket'],
    without: 'Pull requests cannot be read: add the scope “pullrequest” (read:pullrequest:bitbucket).',
  },
  {
    scopes: ['webhook', 'write:webhook:bitbucket'],
    without:
      'Webhooks cannot be created, so updates are delayed: add the scope “webhook” (read:, write: and delete:webhook:bitbucket).',
  },
];

/** The messages for the missing scopes. */
export const missingScopeMessages = (granted: readonly string[]): string[] =>
  requiredScopes.filter(({ scopes }) => !scopes.some((scope) => granted.includes(scope))).map(({ without }) => without);
