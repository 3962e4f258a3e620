import type { TestServer } from '#testing/server.ts';
import type { Seed } from './seeded.ts';

/** Connects a GitLab that is never called. */
export const connectGitlab = ({ services: { database, grants } }: TestServer, { org }: Seed): Promise<void> =>
  database.withOrg(org.id, async (tx) => {
    await grants.save(tx, org.id, org.owner.id, {
      provider: 'gitlab',
      baseUrl: 'https://gitlab.example',
      kind: 'token',
      login: 'ada',
      display: '…abcd',
      secret: 'a token of nobody',
      refresh: null,
      expiresAt: null,
      scopes: ['api'],
    });
  });
