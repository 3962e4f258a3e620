import type { RepositoryDetail } from '@sightline/contract/sources/repositories.ts';
import { ToolsTable } from './ToolsTable.tsx';
import { useTools } from './useTools.ts';

/** The tools one repository names, under its tab (spec 2.9). Nothing until its id is known. */
export const RepositoryToolsPage = ({ repository }: { repository: RepositoryDetail | undefined }) =>
  repository && <Tools key={repository.id} id={repository.id} />;

const Tools = ({ id }: { id: string }) => <ToolsTable list={useTools(id)} single />;
