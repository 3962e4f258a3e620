import { IconGitPullRequest } from '@tabler/icons-react';
import { Empty } from '#ui/Empty.tsx';

export const NoPullRequests = ({ closed }: { closed: boolean }) => (
  <Empty kind="nothing-yet" title="No Pull Requests detected" icon={<IconGitPullRequest size={19} stroke={1.6} />}>
    {closed
      ? 'None has been merged or closed in this repository yet.'
      : 'None is open now. Those that are merged or closed are under Closed PRs.'}
  </Empty>
);
