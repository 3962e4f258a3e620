import { UnstyledButton } from '@mantine/core';
import {
  IconAppWindow,
  IconFileCode,
  IconFolderCode,
  IconGitBranch,
  IconGitCommit,
  IconGitPullRequest,
  IconQuestionMark,
  IconShieldSearch,
  IconTool,
  IconWorld,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import s from './Entity.module.css';
import { Face } from './Person.tsx';

/** Spec 3: the kinds of objects in an event's sentence. */
export type EntityKind =
  | 'user'
  | 'pull_request'
  | 'repository'
  | 'branch'
  | 'sha'
  | 'commit'
  | 'file'
  | 'website'
  | 'browser'
  | 'data_source'
  | 'tool';

interface EntityProps {
  kind: EntityKind;
  text: string;
  /** A picture of a user, or a provider's icon instead of the kind's icon. */
  picture?: string | undefined;
  icon?: ReactNode;
  /** Without it the chip is text. */
  onClick?: ((options: { exclude: boolean }) => void) | undefined;
}

/** An object in a sentence. A click filters by it, alt-click excludes it. */
export function Entity({ kind, text, picture, icon, onClick }: EntityProps) {
  const content = (
    <>
      {kind === 'user' ? <Face name={text} picture={picture} size={18} /> : (icon ?? icons[kind] ?? unknown)}
      <span className="truncate">{text}</span>
    </>
  );
  if (!onClick) {
    return (
      <span className={s.entity} data-kind={kind}>
        {content}
      </span>
    );
  }
  return (
    <UnstyledButton
      className={s.entity ?? ''}
      data-kind={kind}
      data-clickable
      title={`Filter by ${text} (Alt: exclude it)`}
      onClick={({ altKey }) => onClick({ exclude: altKey })}
    >
      {content}
    </UnstyledButton>
  );
}

const line = { size: 13, stroke: 1.75, 'aria-hidden': true } as const;
const icons: Partial<Record<EntityKind, ReactNode>> = {
  repository: <IconFolderCode {...line} />,
  browser: <IconAppWindow {...line} />,
  data_source: <IconShieldSearch {...line} />,
  pull_request: <IconGitPullRequest {...line} />,
  branch: <IconGitBranch {...line} />,
  sha: <IconGitCommit {...line} />,
  commit: <IconGitCommit {...line} />,
  file: <IconFileCode {...line} />,
  website: <IconWorld {...line} />,
  tool: <IconTool {...line} />,
};
// Spec 8: a question mark replaces a missing icon.
const unknown = <IconQuestionMark {...line} />;
