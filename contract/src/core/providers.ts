import { z } from 'zod';

export const providers = ['github', 'bitbucket', 'gitlab'] as const;
export const provider = z.enum(providers);
export type Provider = z.infer<typeof provider>;

export const providerNames: Readonly<Record<Provider, string>> = {
  github: 'GitHub',
  bitbucket: 'Bitbucket',
  gitlab: 'GitLab',
};
