import { notFound, useParams } from '@tanstack/react-router';
import { FailuresPage } from './FailuresPage.tsx';
import { JobsPage } from './JobsPage.tsx';

/** The pages for operators of the installation. One route for both, since the routes are part of the first screen. */
export function OperatorRoute() {
  const { _splat: view = '' } = useParams({ strict: false });
  if (view === '') return <JobsPage />;
  if (view === 'failures') return <FailuresPage />;
  throw notFound();
}
