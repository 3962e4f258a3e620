import type { SignatureCheck } from '#core/signatures.ts';
import type { HostAlert, HostCommit, HostPullRequest, HostRepository, HostReview, HostUser } from './host-facts.ts';

/** The repository of a host event, with its ID at the host. */
export interface EventRepository {
  id: string;
  /** The time of the last push, if the delivery contains it. */
  pushedAt: string | null;
}

/**
 * An event of a webhook delivery in one format for all hosts. `told` parses the object from the payload, for use if the
 * host returns no data. It throws ZodError for an invalid payload.
 */
export type HostEvent =
  | {
      kind: 'push';
      repository: EventRepository;
      /** The full ref: `refs/heads/main`. */
      ref: string;
      /** Null for a new branch. */
      before: string | null;
      /** Null for a deleted branch. */
      after: string | null;
      /** The commits in the payload, oldest first. */
      shas: readonly string[];
      /** Whether the payload contains all commits. If not, they are read from the host. */
      isWhole: boolean;
      /** Undefined if the delivery does not contain it. */
      isForced?: boolean;
      pusher?: HostUser;
      /** The time of the push. */
      at?: string;
      parsePayload: () => HostCommit[];
    }
  | { kind: 'ref_deleted'; repository: EventRepository; ref: string }
  | {
      kind: 'pull_request';
      repository: EventRepository;
      number: number;
      /** The push to its branch, if that caused the event. */
      pushed?: { sha: string; pusher: HostUser | null };
      /** The review that was dismissed or revoked. */
      dismissedReview?: string;
      /** Undefined if payloads of this host are not sufficient. */
      parsePayload: (() => { pullRequest: HostPullRequest; reviews: HostReview[] | undefined }) | undefined;
    }
  | {
      kind: 'alert';
      repository: EventRepository;
      alert: HostAlert['kind'];
      number: number;
      /** Null for a decision of a user, which applies to all refs. */
      ref: string | null;
      parsePayload: () => HostAlert | undefined;
    }
  /** The branch protection changed; `branch` is null if it may be any branch. */
  | { kind: 'protection'; repository: EventRepository; branch: string | null }
  /** The access to a repository changed, or to any of the installation. */
  | { kind: 'access'; repository: EventRepository | null; installationId: string | null }
  | {
      kind: 'repository';
      change: 'created' | 'changed' | 'deleted';
      repository: HostRepository;
      installationId: string;
    }
  | { kind: 'selection'; installationId: string; hasAdded: boolean; removed: readonly string[] }
  | {
      kind: 'installation';
      installationId: string;
      change: 'created' | 'deleted' | 'suspended' | 'resumed' | 'permissions';
      permissions: Record<string, string>;
    };

/** The verification and parsing of webhook deliveries of a host. */
export interface HostWebhooks {
  /**
   * Parses the signature from headers; undefined if there is none of this host. `header` returns an empty text for a
   * missing header. `mustSign`: accepts only a signature of the body, also if the host has another proof.
   */
  signatureOf: (
    secret: string,
    header: (name: string) => string,
    options?: { mustSign?: boolean },
  ) => SignatureCheck | undefined;
  /** Different events never have equal bodies, so that equal bodies are duplicates regardless of their ID. */
  hasDistinctBodies: boolean;
  /** The delivery ID, which retries repeat, and the event name. Throws Invalid if one is missing. */
  name: (body: Buffer, header: (name: string) => string) => { deliveryId: string; event: string };
  /** Parses the events of a delivery; empty for unused ones. Throws ZodError for an invalid body. */
  read: (event: string, payload: Record<string, unknown>) => HostEvent[];
}
