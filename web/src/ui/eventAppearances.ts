import type { EventKind } from '@sightline/contract/timeline/events.ts';
import {
  IconBug,
  IconCircleDot,
  IconClipboardText,
  IconGavel,
  IconGitCommit,
  IconGitPullRequest,
  IconQuestionMark,
  IconShieldHalf,
  IconTool,
  IconUser,
  IconWorld,
  type TablerIcon,
} from '@tabler/icons-react';

interface EventAppearance {
  /** Singular: one event of the kind. */
  name: string;
  Icon: TablerIcon;
  ink: string;
}

/** The appearance of each kind of event on the rail. */
export const eventAppearances: Record<EventKind, EventAppearance> = {
  commit: { name: 'Commit', Icon: IconGitCommit, ink: 'var(--ui-k-commit)' },
  pull_request: { name: 'Pull request', Icon: IconGitPullRequest, ink: 'var(--ui-k-pr)' },
  vulnerability: { name: 'Vulnerability', Icon: IconBug, ink: 'var(--ui-k-vuln)' },
  web_page_view: { name: 'Web page view', Icon: IconWorld, ink: 'var(--ui-k-web)' },
  browser_clipboard: { name: 'Browser clipboard', Icon: IconClipboardText, ink: 'var(--ui-k-clip)' },
  ide_clipboard: { name: 'Editor clipboard', Icon: IconClipboardText, ink: 'var(--ui-k-clip)' },
  tool: { name: 'Tool', Icon: IconTool, ink: 'var(--ui-k-web)' },
  member: { name: 'Member', Icon: IconUser, ink: 'var(--ui-k-web)' },
  exception: { name: 'Waiver', Icon: IconShieldHalf, ink: 'var(--ui-k-vuln)' },
  policy: { name: 'Policy', Icon: IconGavel, ink: 'var(--ui-k-web)' },
  other: { name: 'Other', Icon: IconCircleDot, ink: 'var(--ui-k-web)' },
};

/** The appearance of a kind; a question mark for one that this version does not know. */
export const eventAppearanceOf = (kind: string): EventAppearance =>
  Object.hasOwn(eventAppearances, kind) ? eventAppearances[kind as EventKind] : unknown;

const unknown: EventAppearance = { name: 'Unknown', Icon: IconQuestionMark, ink: 'var(--ui-k-web)' };
