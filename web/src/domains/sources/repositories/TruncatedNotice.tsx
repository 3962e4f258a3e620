import type { RepositoryDetail } from '@sightline/contract/sources/repositories.ts';
import { Banner } from '#ui/Banner.tsx';
import { formatDay } from '#ui/days.ts';

/** Reports that the code host lacks the beginning of the history. */
export function TruncatedNotice({ repository: { truncatedAt } }: { repository: RepositoryDetail }) {
  if (truncatedAt === null) return null;
  return (
    <Banner tone="warning">
      <b>History truncated.</b> The code host has no commits before {formatDay(truncatedAt)}, as in a shallow clone.
      Earlier changes are missing here and in evidence.
    </Banner>
  );
}
