import { IconBrandEdge, IconBrandVscode, IconQuestionMark } from '@tabler/icons-react';
import {
  siArgo,
  siBitbucket,
  siBrave,
  siCheckmarx,
  siCircleci,
  siClaude,
  siCodecov,
  siCursor,
  siDependabot,
  siDocker,
  siEslint,
  siFirefox,
  siGithub,
  siGithubactions,
  siGithubcopilot,
  siGitlab,
  siGoogle,
  siGooglechrome,
  siHelm,
  siJenkins,
  siJira,
  siKubernetes,
  siLinear,
  siOpera,
  siOwasp,
  siPostman,
  siPrettier,
  siRenovate,
  siSnyk,
  siSonarqubecloud,
  siTerraform,
  siTrivy,
  siVitest,
  siVscodium,
  siWindsurf,
} from 'simple-icons';
import { SimpleIcon } from './SimpleIcon.tsx';

/**
 * The icon of a tool, browser or editor in one color. Unknown: a '?' (spec 8). Large, so import it in lazy pages only.
 */
export function BrandIcon({ name, size = 16 }: { name: string; size?: number }) {
  if (vscodes.has(name)) return <IconBrandVscode size={size + 1} stroke={1.75} aria-hidden />;
  if (name === 'edge') return <IconBrandEdge size={size + 1} stroke={1.75} aria-hidden />;
  const icon = brands.get(name);
  return icon ? (
    <SimpleIcon path={icon.path} size={size} />
  ) : (
    <IconQuestionMark size={size} role="img" aria-label="Unknown tool" />
  );
}

const vscodes = new Set(['vscode', 'vscode-insiders', 'code-oss', 'code-server']);
const brands = new Map([
  ['argo', siArgo],
  ['bitbucket', siBitbucket],
  ['brave', siBrave],
  ['checkmarx', siCheckmarx],
  ['chrome', siGooglechrome],
  ['circleci', siCircleci],
  ['claude', siClaude],
  ['codecov', siCodecov],
  ['cursor', siCursor],
  ['dependabot', siDependabot],
  ['dependency-track', siOwasp],
  ['docker', siDocker],
  ['eslint', siEslint],
  ['firefox', siFirefox],
  ['github', siGithub],
  ['github-actions', siGithubactions],
  ['github-copilot', siGithubcopilot],
  ['gitlab', siGitlab],
  ['google', siGoogle],
  ['helm', siHelm],
  ['jenkins', siJenkins],
  ['jira-cloud', siJira],
  ['jira-data-center', siJira],
  ['kubernetes', siKubernetes],
  ['linear', siLinear],
  ['opera', siOpera],
  ['postman', siPostman],
  ['prettier', siPrettier],
  ['renovate', siRenovate],
  ['snyk', siSnyk],
  ['sonarqube', siSonarqubecloud],
  ['terraform', siTerraform],
  ['trivy', siTrivy],
  ['vitest', siVitest],
  ['vscodium', siVscodium],
  ['windsurf', siWindsurf],
]);
