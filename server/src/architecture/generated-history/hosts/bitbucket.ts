import { allScopes } from '@sightline/sandbox/bitbucket/bitbucket.ts';
import { uuidOf } from '@sightline/sandbox/bitbucket/responses/account.ts';
import { bitbucketWebhookSender } from '@sightline/sandbox/planted/bitbucket-webhook-sender.ts';
import { startSandboxBitbucket } from '#providers/bitbucket/sandbox.fixture.ts';
import { type CodeHostFixture, enableOn, redirectWebhooks } from '../code-host-fixtures.ts';

export const fixture = async (path: string): Promise<CodeHostFixture> => {
  const sandbox = await startSandboxBitbucket([path]);
  const { bitbucket: cloud, host } = sandbox.sandbox;
  return {
    sandbox,
    identityValueOf: ({ id }) => uuidOf(`user:${id}`),
    async connect(server, org) {
      const token = sandbox.workspaceToken(undefined, 'acme');
      const repositoryId = await enableOn(server, org, 'bitbucket', token);
      await redirectWebhooks(server, cloud.hooks);
      return repositoryId;
    },
    webhookSender: (repository) => bitbucketWebhookSender(cloud, repository),
    redirectWebhooks: (server) => redirectWebhooks(server, cloud.hooks),
    async setProtectionReadable(mayRead) {
      for (const token of cloud.tokens.values()) {
        token.scopes = allScopes.filter((scope) => mayRead || scope !== 'repository:admin');
      }
    },
    // Bitbucket has no review IDs: a review is identified by reviewer and commit.
    reviewIds(_, { steps }, key, shas) {
      const review = steps.find((step) => step.kind === 'review' && step.key === key);
      if (review?.kind !== 'review') throw new Error(`The scenario has no review ${key}.`);
      const id = host.users.byEmail.get(review.by.email.toLowerCase())?.id;
      return `${uuidOf(`user:${id}`)}:${shas.get(review.commit)?.slice(0, 12)}`;
    },
  };
};
