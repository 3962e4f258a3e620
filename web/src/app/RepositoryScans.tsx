import { ScansPage } from '#domains/vulnerabilities/scans/ScansPage.tsx';
import { useFlag, useFlagsKnown } from '#lib/flags.ts';
import { NotFoundNotice } from './NotFoundPage.tsx';

/** The scans tab, which does not exist while its flag is off. */
export function RepositoryScans(props: Parameters<typeof ScansPage>[0]) {
  const on = useFlag('vulnerabilities');
  const known = useFlagsKnown();
  return on ? <ScansPage {...props} /> : known ? <NotFoundNotice /> : null;
}
