import { requireCatalogEntry } from '../catalog/catalog.ts';
import { scriptMentions } from './commands.ts';
import type { ToolReference } from './detection.ts';
import { imageMention } from './image.ts';

// Groovy comments are replaced by spaces, so that line numbers stay correct.
const comments = /\/\*[\s\S]*?\*\/|(^|[^:'"\\])\/\/[^\n]*/g;
const scripts =
  /\b(?:sh|bat|powershell|pwsh)\b\s*\(?\s*(?:script\s*:\s*|label\s*:\s*(?:'[^']*'|"[^"]*")\s*,\s*script\s*:\s*)?('''[\s\S]*?'''|"""[\s\S]*?"""|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")/g;
const images = /\b(?:docker\.image\s*\(|image\s+|docker\s+)\s*(['"])([^'"\n]+)\1/g;
const steps: readonly (readonly [RegExp, string])[] = [
  [/\bwithSonarQubeEnv\b|\bwaitForQualityGate\b/g, 'sonarqube'],
  [/\bdocker\.(?:build|image|withRegistry)\b|\bdockerfile\s*(?:true|\{)/g, 'docker'],
  [/\bwithMaven\b|^\s*maven\s+['"]/gm, 'maven'],
  [/^\s*gradle\s+['"]/gm, 'gradle'],
  [/\bnodejs\s*\(|^\s*nodejs\s+['"]/gm, 'nodejs'],
  [/^\s*jdk\s+['"]/gm, 'java'],
  [/\bwithAWS\b/g, 'aws-cli'],
  [/\bslackSend\b/g, 'slack'],
  [/\bdependencyCheck\b/g, 'dependency-check'],
  [/\bsnykSecurity\b/g, 'snyk'],
  [/\bcheckmarxASTScanner\b/g, 'checkmarx-one'],
  [/\bansiblePlaybook\b/g, 'ansible'],
  [/\brtServer\b|\bArtifactory\.server\b/g, 'jfrog'],
  [/\bkubernetesDeploy\b|\bwithKubeConfig\b/g, 'kubectl'],
  [/\bgitleaks\b(?=\s*\()/g, 'gitleaks'],
];

/** Returns the references of a Jenkinsfile: steps of plugins, images and shell commands. */
export function jenkinsMentions(content: string): ToolReference[] {
  const code = content.replaceAll(
    comments,
    (all, before: string | undefined) => (before ?? '') + all.slice((before ?? '').length).replaceAll(/[^\n]/g, ' '),
  );
  const lineAt = lineCounterOf(code);
  return [
    ...[...code.matchAll(scripts)].flatMap((match) => {
      const [, quoted = ''] = match;
      const marks = /^('''|""")/.test(quoted) ? 3 : 1;
      const from = match.index + match[0].length - quoted.length + marks;
      return scriptMentions({ text: quoted.slice(marks, -marks), lineAt: (offset) => lineAt(from + offset) });
    }),
    ...[...code.matchAll(images)].flatMap((match) => imageMention(match[2] ?? '', lineAt(match.index)) ?? []),
    ...steps.flatMap(([pattern, id]) =>
      [...code.matchAll(pattern)].map((match) => {
        const line = lineAt(match.index + (match[0].length - match[0].trimStart().length));
        return { tool: requireCatalogEntry(id), line, text: match[0].trim().slice(0, 200), version: null };
      }),
    ),
  ];
}

export const jenkinsEntry = requireCatalogEntry('jenkins');

/** Creates a function that converts offsets of a text to line numbers. */
function lineCounterOf(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
