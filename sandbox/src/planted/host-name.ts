export type HostName = 'github' | 'gitlab' | 'bitbucket';
