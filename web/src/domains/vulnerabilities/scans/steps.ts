export const buildServices = [
  { value: 'github', label: 'GitHub Actions' },
  { value: 'gitlab', label: 'GitLab CI' },
  { value: 'curl', label: 'Anywhere' },
] as const;
export type BuildService = (typeof buildServices)[number]['value'];

interface UploadTarget {
  /** The origin of the app, without a trailing slash. */
  origin: string;
  provider: string;
  /** `owner/name`. */
  fullName: string;
}

/** Returns the build step to run after the scanner. The key comes from a secret named SIGHTLINE_KEY. */
export function buildStep(service: BuildService, target: UploadTarget): string {
  switch (service) {
    case 'github':
      return `- name: Send results to Sightline
  if: always()
  env:
    SIGHTLINE_KEY: \${{ secrets.SIGHTLINE_KEY }}
  run: |
${indented(4, command(target, '$GITHUB_REF', '$GITHUB_SHA'))}`;
    case 'gitlab':
      return `send-to-sightline:
  stage: .post
  when: always
  image: curlimages/curl:latest
  script:
    - |
${indented(6, command(target, '$CI_COMMIT_REF_NAME', '$CI_COMMIT_SHA'))}`;
    case 'curl':
      return command(target, '$(git symbolic-ref --short HEAD)', '$(git rev-parse HEAD)');
  }
}

// --data-binary @- keeps newlines in the file; --url-query encodes any branch name correctly.
const command = ({ origin, provider, fullName }: UploadTarget, ref: string, commit: string) => `gzip -c results.sarif |
  curl --silent --show-error --fail-with-body \\
    --header "Authorization: Bearer $SIGHTLINE_KEY" \\
    --header "Content-Type: application/gzip" \\
    --url-query "ref=${ref}" \\
    --url-query "commit=${commit}" \\
    --data-binary @- \\
    ${origin}/api/v2/repositories/${provider}/${fullName}/sarif`;

const indented = (columns: number, text: string) => text.replace(/^/gm, ' '.repeat(columns));
