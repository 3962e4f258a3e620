import { RepositoryFindingsPage } from '#domains/vulnerabilities/findings/RepositoryFindingsPage.tsx';
import { useFlag, useFlagsKnown } from '#lib/flags.ts';
import { NotFoundNotice } from './NotFoundPage.tsx';

/** The findings tab, which does not exist while its flag is off. */
export function RepositoryFindings(props: Parameters<typeof RepositoryFindingsPage>[0]) {
  const on = useFlag('vulnerabilities');
  const known = useFlagsKnown();
  return on ? <RepositoryFindingsPage {...props} /> : known ? <NotFoundNotice /> : null;
}
