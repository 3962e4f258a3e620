import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const chart = fileURLToPath(new URL('../../../../deploy/kubernetes/chart', import.meta.url));
const renderer = fileURLToPath(new URL('render-chart/main.go', import.meta.url));

/** Renders the chart as the release `sightline`, with Helm or, without it, with the template functions of Helm. */
export function createChartRenderer(): { render: (values: object) => string; close: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-chart-'));
  const hasHelm = (process.env.PATH ?? '').split(delimiter).some((path) => existsSync(join(path, 'helm')));
  const program = join(folder, 'render-chart');
  if (!hasHelm) {
    // Debian packages with Go modules.
    const env = { ...process.env, GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOCACHE: join(folder, 'cache') };
    execFileSync('go', ['build', '-o', program, renderer], { env, stdio: 'pipe' });
  }
  return {
    render(values) {
      const [file, args] = hasHelm
        ? ['helm', ['template', 'sightline', chart, '--namespace', 'sightline', '--values', '-']]
        : [program, [chart, 'sightline', 'sightline']];
      return execFileSync(file, args, { input: JSON.stringify(values), encoding: 'utf8', stdio: 'pipe' });
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
