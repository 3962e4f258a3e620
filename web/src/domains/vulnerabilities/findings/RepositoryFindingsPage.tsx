import type { RepositoryDetail } from '@sightline/contract/sources/repositories.ts';
import { listFindings } from '@sightline/contract/vulnerabilities/findings.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { FindingsList } from './FindingsList.tsx';

/** The findings of one repository on its tab (spec 2.9). Renders nothing until its ID is known. */
export const RepositoryFindingsPage = ({ repository }: { repository: RepositoryDetail | undefined }) =>
  repository && <Findings key={repository.id} id={repository.id} />;

function Findings({ id }: { id: string }) {
  const list = usePagedList(listFindings, {
    input: (query) => ({ query: { ...query, repository: [id] } }),
    view: ['repository'],
  });
  return <FindingsList list={list} repository={id} />;
}
