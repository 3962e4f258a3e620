import type { Severity } from '@sightline/contract/core/severities.ts';
import type { ChatServiceName } from '@sightline/contract/delivery/chat.ts';
import type { Outbound } from '#core/outbound.ts';

/** A notification as text. Every text may come from an attacker, such as the title of a commit. */
export interface ChatNotification {
  title: string;
  body: string;
  severity: Severity;
  /** The label of its type, such as `New vulnerabilities`. */
  label: string;
  /** An absolute URL of the product. */
  link: string;
}

/** Several notifications in one post. */
export interface ChatDigest {
  total: number;
  /** The number of each type, most frequent first. */
  counts: readonly { label: string; count: number }[];
  /** The most severe notifications. */
  worst: readonly ChatNotification[];
  link: string;
}

export type ChatContent = { notification: ChatNotification } | { digest: ChatDigest } | { test: { link: string } };

export interface ChatPost {
  /** The same in every attempt, so that a service can recognize a repetition. */
  id: string;
  /** The name of the sending organization. */
  organization: string;
  content: ChatContent;
  /** The thread to reply in, as an earlier post returned it. */
  thread: string | null;
}

export interface ChatAddress {
  /** The ID of a channel or person; for Teams, the URL of a workflow. */
  to: string;
  /** The token of the workspace; empty for Teams. */
  token: string;
}

/** Why a post failed, in one sentence with the remedy. */
export interface ChatFailure {
  message: string;
  /**
   * What cannot work without a change: this post, the channel (`target`), or the token (`workspace`). `target` and
   * `workspace` keep the messages. `limit`: the service asks to wait. `gone`: the channel no longer exists. `thread`:
   * the thread no longer exists.
   */
  of: 'post' | 'target' | 'workspace' | 'limit' | 'gone' | 'thread';
  /** Seconds that the service asks to wait; 0 if it names none. */
  retryAfterSeconds: number;
  /** The service may have accepted the post. */
  isUnclear: boolean;
}

/** `thread`: where replies belong; null if the service has no threads. */
export type ChatResult = { thread: string | null } | { failure: ChatFailure };

/**
 * A chat service. The file `service.ts` in a folder of its own exports it as `service`. No other list exists, except the
 * names in the contract.
 */
export interface ChatService {
  name: ChatServiceName;
  title: string;
  /** The permissions that it needs, each with its reason. */
  permissions: readonly { name: string; reason: string }[];
  /** Sends a post. `api`: the URL of the API of a service with one. Failures are results. */
  post: (outbound: Outbound, api: string, address: ChatAddress, post: ChatPost) => Promise<ChatResult>;
}
