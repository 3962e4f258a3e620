/**
 * `repositories`: paths of git repositories. `deliverTo`: where webhooks go; none are made while it is unknown.
 * One of the two keys is enough. `pollMs`: how often refs are looked at, besides file system events (default 1000).
 * `rateLimit`: requests an hour (default 15 000, as for an enterprise installation). Port 0 picks a free one.
 * `alerts`: whether the host's own scanners are on, with some alerts to begin with; else one that is added turns them on.
 * `stateFile`: where installations are kept over a restart; they are forgotten without it. `plantedFile`: the same for what
 * reviews, pushes, checks and protections git does not know. `checkmarxFile`: the same for
 * scans, webhooks and keys of Checkmarx One. `gitlabFile` and `bitbucketFile`: the same for tokens and
 * webhooks of GitLab and of Bitbucket.
 */
export type SandboxOptions = {
  port: number;
  repositories: string[];
  host?: string;
  deliverTo?: string;
  webhookSecret: string;
  appId: number;
  appSlug?: string;
  privateKeyPem?: string;
  publicKeyPem?: string;
  clientId: string;
  clientSecret: string;
  setupUrl?: string;
  /** The first is the one GitHub falls back to. */
  callbackUrl?: string | string[];
  /** Where the OpenID Connect issuer may lead back to: these addresses and what is below them. */
  oidcCallbackUrls?: string[];
  /** Where GitLab's authorization server may lead back to. */
  gitlabCallbackUrls?: string[];
  pollMs?: number;
  rateLimit?: number;
  alerts?: boolean;
  stateFile?: string;
  plantedFile?: string;
  checkmarxFile?: string;
  gitlabFile?: string;
  bitbucketFile?: string;
};
