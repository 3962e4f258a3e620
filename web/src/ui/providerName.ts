/** The name of a code host in its own spelling; any other source is unchanged. */
export const providerName = (provider: string): string => names.get(provider) ?? provider;

const names = new Map([
  ['github', 'GitHub'],
  ['gitlab', 'GitLab'],
  ['bitbucket', 'Bitbucket'],
]);
