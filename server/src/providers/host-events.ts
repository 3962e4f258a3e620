import type { SignatureCheck } from '#core/signatures.ts';
import type { HostAlert, HostCommit, HostPullRequest, HostRepository, HostReview, HostUser } from './host-facts.ts';

/** The repository some news is about, by the host's own id of it. */
export interface NewsOf {
  id: string;
  /** When it was last pushed to, where the delivery says so. */
  pushedAt: string | null;
}

/**
 * What a delivery says, in one shape for every host. `told` reads what the delivery itself says of the thing, and is called
 * where the host does not say more; it throws ZodError for what it cannot read.
 */
export type HostNews =
  | {
      kind: 'push';
      repository: NewsOf;
      /** Full: `refs/heads/main`. */
      ref: string;
      /** Null for a branch that is new. */
      before: string | null;
      /** Null for a branch that is deleted. */
      after: string | null;
      /** Of the commits that are named, the oldest first. */
      shas: readonly string[];
      /** Whether all commits are named: else the host is asked what lies between. */
      isWhole: boolean;
      /** Undefined where the delivery does not say. */
      isForced?: boolean;
      pusher?: HostUser;
      /** When it was pushed. */
      at?: string;
      told: () => HostCommit[];
    }
  | { kind: 'ref_deleted'; repository: NewsOf; ref: string }
  | {
      kind: 'pull_request';
      repository: NewsOf;
      number: number;
      /** That its branch was pushed to. */
      pushed?: { sha: string; pusher: HostUser | null };
      /** The review that was just dismissed or taken back. */
      dismissedReview?: string;
      /** Undefined where a delivery of this host never says enough. */
      told: (() => { pullRequest: HostPullRequest; reviews: HostReview[] | undefined }) | undefined;
    }
  | {
      kind: 'alert';
      repository: NewsOf;
      alert: HostAlert['kind'];
      number: number;
      /** Null where it is not about one: somebody decided about it, wherever it stands. */
      ref: string | null;
      told: () => HostAlert | undefined;
    }
  /** What protects branches changed; `branch` null where it may be any. */
  | { kind: 'protection'; repository: NewsOf; branch: string | null }
  | { kind: 'repository'; change: 'created' | 'changed' | 'gone'; repository: HostRepository; installationId: string }
  | { kind: 'selection'; installationId: string; hasAdded: boolean; removed: readonly string[] }
  | {
      kind: 'installation';
      installationId: string;
      change: 'created' | 'deleted' | 'suspended' | 'resumed' | 'permissions';
      permissions: Record<string, string>;
    };

/** How deliveries of a host are checked and read. */
export interface HostWebhooks {
  /**
   * The signature that headers name; undefined where they name none of the host's. `header` is empty where there is none. `mustSign`:
   * a host that can also prove itself without a signature over the body must not.
   */
  signatureOf: (
    secret: string,
    header: (name: string) => string,
    options?: { mustSign?: boolean },
  ) => SignatureCheck | undefined;
  /** Two events never have the same bytes, so that the same bytes are the same delivery, whatever id they come under. */
  hasDistinctBodies: boolean;
  /** The host's own id of a delivery, the same on each try, and the name of its event. Throws Invalid where it lacks one. */
  name: (body: Buffer, header: (name: string) => string) => { deliveryId: string; event: string };
  /** Empty for what nobody needs. Throws ZodError for a body that is not what its event says. */
  read: (event: string, payload: Record<string, unknown>) => HostNews[];
}
