/** A developer site: a host without scheme, including subdomains. */
export interface Site {
  host: string;
  /** Display name. */
  name: string;
  group: SiteGroup;
}
export type SiteGroup = 'AI assistants' | 'Code hosts' | 'Issues and documents' | 'Builds and quality' | 'Reference';

const group = (name: SiteGroup, hosts: Record<string, string>): Site[] =>
  Object.entries(hosts).map(([host, site]) => ({ host, name: site, group: name }));

/**
 * The default developer sites of browser extensions, until the user or operator changes them. At installation, the
 * extension requests permission for these sites only. This file has no imports, so that extensions can bundle it.
 */
export const developerSites: readonly Site[] = [
  ...group('AI assistants', {
    'chatgpt.com': 'ChatGPT',
    'claude.ai': 'Claude',
    'gemini.google.com': 'Gemini',
    'aistudio.google.com': 'Google AI Studio',
    'copilot.microsoft.com': 'Microsoft Copilot',
    'perplexity.ai': 'Perplexity',
    'phind.com': 'Phind',
    'chat.mistral.ai': 'Le Chat',
    'chat.deepseek.com': 'DeepSeek',
    'grok.com': 'Grok',
    'poe.com': 'Poe',
    'v0.dev': 'v0',
    'v0.app': 'v0',
    'bolt.new': 'Bolt',
    'lovable.dev': 'Lovable',
    'replit.com': 'Replit',
    'cursor.com': 'Cursor',
    'huggingface.co': 'Hugging Face',
    'chat.openai.com': 'ChatGPT',
    'platform.openai.com': 'OpenAI Platform',
    'claude.com': 'Claude',
    'console.anthropic.com': 'Anthropic Console',
    'notebooklm.google.com': 'NotebookLM',
    'jules.google.com': 'Jules',
    'm365.cloud.microsoft': 'Microsoft 365 Copilot',
    'console.mistral.ai': 'Mistral Console',
    'chat.qwen.ai': 'Qwen',
    'kimi.com': 'Kimi',
    'openrouter.ai': 'OpenRouter',
    'ollama.com': 'Ollama',
    'devin.ai': 'Devin',
    'windsurf.com': 'Windsurf',
    'codeium.com': 'Windsurf',
    'cline.bot': 'Cline',
    'roocode.com': 'Roo Code',
    'kilocode.ai': 'Kilo Code',
    'continue.dev': 'Continue',
    'augmentcode.com': 'Augment',
    'ampcode.com': 'Amp',
    'sourcegraph.com': 'Sourcegraph',
    'tabnine.com': 'Tabnine',
    'supermaven.com': 'Supermaven',
    'blackbox.ai': 'Blackbox',
    'coderabbit.ai': 'CodeRabbit',
    'qodo.ai': 'Qodo',
    'kiro.dev': 'Kiro',
    'trae.ai': 'Trae',
    'zed.dev': 'Zed',
  }),
  ...group('Code hosts', {
    'github.com': 'GitHub',
    'github.dev': 'GitHub in the editor',
    'gitlab.com': 'GitLab',
    'bitbucket.org': 'Bitbucket',
    'dev.azure.com': 'Azure DevOps',
    'codeberg.org': 'Codeberg',
    'sourceforge.net': 'SourceForge',
  }),
  ...group('Issues and documents', {
    'atlassian.net': 'Jira and Confluence',
    'linear.app': 'Linear',
    'app.shortcut.com': 'Shortcut',
  }),
  ...group('Builds and quality', {
    'circleci.com': 'CircleCI',
    'travis-ci.com': 'Travis CI',
    'buildkite.com': 'Buildkite',
    'vercel.com': 'Vercel',
    'netlify.com': 'Netlify',
    'sentry.io': 'Sentry',
    'sonarcloud.io': 'SonarQube Cloud',
    'snyk.io': 'Snyk',
    'codecov.io': 'Codecov',
    'ast.checkmarx.net': 'Checkmarx One',
    'hub.docker.com': 'Docker Hub',
  }),
  ...group('Reference', {
    'stackoverflow.com': 'Stack Overflow',
    'stackexchange.com': 'Stack Exchange',
    'developer.mozilla.org': 'MDN',
    'learn.microsoft.com': 'Microsoft Learn',
    'docs.rs': 'docs.rs',
    'npmjs.com': 'npm',
    'pypi.org': 'PyPI',
    'crates.io': 'crates.io',
    'pkg.go.dev': 'Go packages',
    'jsfiddle.net': 'JSFiddle',
    'codepen.io': 'CodePen',
    'codesandbox.io': 'CodeSandbox',
    'stackblitz.com': 'StackBlitz',
  }),
];
