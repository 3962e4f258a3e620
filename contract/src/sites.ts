/**
 * Where developers work: what a browser's extension reports from unless its person or the operator says otherwise. Hosts
 * without scheme, each with its subdomains. This file needs nothing, so that extensions may carry it.
 */
export const developerSites: readonly string[] = [
  // Code hosts
  'github.com',
  'gitlab.com',
  'bitbucket.org',
  'codeberg.org',
  'dev.azure.com',
  // AI assistants
  'chatgpt.com',
  'claude.ai',
  'gemini.google.com',
  'aistudio.google.com',
  'copilot.microsoft.com',
  'perplexity.ai',
  'chat.mistral.ai',
  'chat.deepseek.com',
  'grok.com',
  'v0.app',
  'lovable.dev',
  'bolt.new',
  'replit.com',
  // Questions and documentation
  'stackoverflow.com',
  'developer.mozilla.org',
  'learn.microsoft.com',
  'docs.rs',
  // Packages
  'npmjs.com',
  'pypi.org',
  'crates.io',
  'pkg.go.dev',
  'rubygems.org',
  'hub.docker.com',
  'huggingface.co',
  // Builds, quality and security
  'circleci.com',
  'sonarcloud.io',
  'app.snyk.io',
  'codecov.io',
  'cve.org',
  'nvd.nist.gov',
  // Planning
  'atlassian.net',
  'linear.app',
];
