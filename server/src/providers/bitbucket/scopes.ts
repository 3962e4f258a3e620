/** One thing we need, the scopes any of which gives it, and what is not there without it. */
interface Need {
  scopes: readonly string[];
  without: string;
}

// OAuth consumers and access tokens have the short names, API tokens the long ones.
const needs: readonly Need[] = [
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

/** What is missing, each as a sentence. */
export const missingIn = (granted: readonly string[]): string[] =>
  needs.filter(({ scopes }) => !scopes.some((scope) => granted.includes(scope))).map(({ without }) => without);
