import type { RoleId } from '@sightline/contract/core/permissions.ts';

interface NamedSubject {
  id: string;
  name: string;
}

/** An exception and the finding it is for, as a decision about it knows them. */
interface OfException {
  finding: { id: string; title: string };
  repository: NamedSubject;
  /** RFC 3339. */
  until: string;
  /** The account that asked for it. */
  requestedBy: string;
}

/** Leave to break a control, as a decision about it knows it. */
interface OfLeave {
  leave: { id: string; control: string; subject: string };
  repository: NamedSubject | null;
  /** RFC 3339. */
  until: string;
  /** The account that asked for it. */
  requestedBy: string;
}

/** Findings by severity, from critical to info. */
export type Tally = readonly [number, number, number, number, number];

/** What happened, as facts, with the events of the timeline that tell it, where there are any: the newest last. */
export type News = NewsFact & { events?: readonly string[] };

/** `wording.ts` puts it into words, and the facts of its type say who hears of it. */
type NewsFact =
  | { type: 'finding.new'; repository: NamedSubject; tool: string; tally: Tally }
  | { type: 'finding.severity_changed'; repository: NamedSubject; tool: string; tally: Tally }
  | ({ type: 'exception.requested' | 'exception.expiring' | 'exception.expired' } & OfException)
  | ({ type: 'exception.decided'; approved: boolean } & OfException)
  | ({ type: 'exception.requested' | 'exception.expiring' | 'exception.expired' } & OfLeave)
  | ({ type: 'exception.decided'; approved: boolean } & OfLeave)
  /** `until`: the end of the quarter, RFC 3339. */
  | { type: 'access_review.opened'; review: NamedSubject; lines: number; until: string }
  /** `rows`: how many broke it since it was told of last, by the first of them. */
  | {
      type: 'policy.violated';
      policy: NamedSubject;
      rows: number;
      subject: string;
      control: string;
      repository: NamedSubject | null;
    }
  /** `from`: when the period begins that was judged, RFC 3339. */
  | { type: 'control.failed'; control: string; title: string; runId: string; from: string; exceptions: number }
  /** `week`: its Monday. */
  | { type: 'digest.ready'; week: string; digests: number }
  /** `requestedBy`: an account; `problem`: why it could not be made, null where it is there. */
  | { type: 'evidence.ready'; snapshot: NamedSubject; requestedBy: string; problem: string | null }
  /** `control` null: about nothing particular. */
  | { type: 'portal.requested'; portal: NamedSubject; auditor: string; control: string | null }
  | { type: 'repository.enabled' | 'repository.disabled'; repository: NamedSubject }
  | { type: 'tool.new'; tools: readonly NamedSubject[] }
  /** `key` names the connection, `name` is what people call it, `category` the part of the integrations page it is on. */
  | { type: 'integration.failed'; key: string; name: string; category: string; message: string }
  | { type: 'integration.recovered'; key: string; name: string; category: string }
  | { type: 'ledger.verification_failed'; because: string }
  | { type: 'ledger.anchor_failed'; anchorId: string; party: string; because: string }
  /** `to`: what failed to arrive there; `name` is what people call it. */
  | {
      type: 'delivery.failed';
      to: NamedSubject & { kind: 'evidence_destination' | 'webhook' };
      deliveryId: string;
      because: string;
    }
  | { type: 'webhook.disabled'; webhookId: string; url: string }
  | { type: `invitation.${'declined' | 'expired' | 'failed'}`; invitationId: string; email: string; invitedBy: string }
  | { type: 'member.joined'; accountId: string; role: RoleId }
  | { type: 'member.left'; accountId: string; removed: boolean }
  | { type: 'member.role_changed'; accountId: string; before: RoleId; after: RoleId }
  | { type: 'member.deactivated'; accountId: string; reinstated: boolean }
  /** `silentSince`: nothing was heard since then; null: somebody signed it out. */
  | { type: 'extension.disconnected'; accountId: string; program: string; silentSince: string | null };
