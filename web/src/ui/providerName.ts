/** A code host as it writes itself; any other source under the name it came with. */
export const providerName = (provider: string): string => names.get(provider) ?? provider;

const names = new Map([
  ['github', 'GitHub'],
  ['gitlab', 'GitLab'],
  ['bitbucket', 'Bitbucket'],
]);
