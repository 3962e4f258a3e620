import type { RepositoryDetail } from '@sightline/contract/sources/repositories.ts';
import { ToolsTable } from './ToolsTable.tsx';
import { useTools } from './useTools.ts';

/** The tools of one repository on its tab (spec 2.9). Renders nothing until its ID is known. */
export const RepositoryToolsPage = ({ repository }: { repository: RepositoryDetail | undefined }) =>
  repository && <Tools key={repository.id} id={repository.id} />;

const Tools = ({ id }: { id: string }) => <ToolsTable list={useTools(id)} isSingleRepository />;
