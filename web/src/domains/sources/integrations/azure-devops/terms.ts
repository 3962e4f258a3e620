import type { HostTerms } from '../hostTerms.ts';

export const terms: HostTerms = {
  name: 'azure-devops',
  one: 'project',
  many: 'projects',
  needs: [
    'Code: Read & write, and Status; Pull Request Threads: Read & write; Project and Team: Read',
    'Identity: Read, and Security: Manage, to read who has access and may bypass policies',
    'The role of a project administrator, to read permissions and create service hooks',
  ],
  where: 'There, create one under User settings, Personal access tokens.',
};
