/** Every code host that the sandbox simulates or is to simulate; those with scenarios are in hosts.ts. */
export type HostName =
  | 'github'
  | 'gitlab'
  | 'bitbucket'
  | 'gitea'
  | 'bitbucket-data-center'
  | 'azure-devops'
  | 'gerrit';
